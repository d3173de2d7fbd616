"""Settings: models, keys, memory, and the health of this installation."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from ...config import Config, load_config
from ...errors import FabulaError, UsageError
from ...llm.connecting.endpoints import Offer, look, offers_of
from ...project.connecting import CHOSEN, connected, off, save_settings, test_model, use, verdict_on
from ...project.doctor import examine
from ...project.spending import UsageReport
from ...project.trust import user_settings
from ...views.text.kept import USAGE_HEAD, dollars_text, usage_row
from ..frame import Frame
from ..markup import html
from ..markup import page as markup
from ..shell import problems_said
from ..state.setting_fields import GROUPS, Field, Group, Value, changes

_KEY, _OFFERS = "endpoint-key", "model-offers"
_LINES = 30
# Only what is plainly a key's name: no page may set PATH.
_NAME = re.compile(r"[A-Z][A-Z0-9_]{0,60}_API_KEY")
_LONGEST = 1000  # characters


def page(frame: Frame) -> None:
    """Settings by group, the key of an endpoint, and what is installed. What is saved goes into the library's
    ``fabula.toml``."""
    config = load_config(*user_settings(), *frame.library.settings)
    left, right = st.columns([3, 2], gap="large")
    with left:
        _model(frame, config)
        for group in GROUPS:
            _group(frame, group, config)
    with right:
        _key(config.generator.api_key_env or "OPENAI_API_KEY")
        if frame.entry is not None:
            st.subheader("Usage", anchor=False)
            _usage(frame)
        st.subheader("Health", anchor=False)
        checks = examine(asks=False).checks
        st.html(html("settings", "health", checks, sum(not check.healthy for check in checks)))
        st.subheader("Appearance", anchor=False)
        st.html(markup.soft("Light or dark follows this machine; the menu at the top right changes it."))


def _model(frame: Frame, config: Config) -> None:
    """The model that is connected, and those that could be: the same as ``fabula model``."""
    st.subheader("Connected model", anchor=False)
    name = connected(config)
    verdict = verdict_on(name)
    st.html(html("settings", "connected", name, verdict.text if verdict else "not tested"))
    with st.container(horizontal=True):
        if st.button("Look for models"):
            st.session_state[_OFFERS] = look()
        if name:
            st.button("Test it", on_click=_act, args=(lambda: test_model(config).verdict.text,))
            st.button("Use none", type="tertiary", on_click=_act, args=(lambda: _chosen(frame, None),))
    for offer in st.session_state.get(_OFFERS, ()):
        told, button = st.columns([4, 1], vertical_alignment="center")
        told.html(html("settings", "offer", offer))
        label, act = ("Use", _chosen) if offer.model else ("Its models", _asked)
        button.button(label, key=f"use-{offer.name}", on_click=_act, args=(partial(act, frame, offer),))
    if st.session_state.get(_OFFERS) == ():
        st.html(markup.note("No server on this machine answers, and no key is in the environment."))


def _act(act: Callable[[], str]) -> None:
    try:
        st.session_state["said"] = act()
    except FabulaError as error:
        st.session_state["said"] = str(error)


def _asked(frame: Frame, offer: Offer) -> str:  # noqa: ARG001 (as _chosen)
    st.session_state[_OFFERS] = offers_of(offer.kind)
    return f"{offer.kind.title} was asked for its models."


def _chosen(frame: Frame, offer: Offer | None) -> str:
    """In the user's own settings; what the library's say of a model would stand above them, and goes."""
    file = off() if offer is None else use(offer)[1]
    own = frame.library.root / "fabula.toml"
    if own.is_file():
        save_settings(own, {"generator": CHOSEN})
    st.session_state.pop(_OFFERS, None)
    return f"{f'{offer.name} is connected' if offer else 'No model is connected'}: {file}"


def _group(frame: Frame, group: Group, config: Config) -> None:
    with st.form(f"settings-{group.title}"):
        st.subheader(group.title, anchor=False)
        st.html(markup.soft(group.lead))
        values = {}
        switches = [field for field in group.fields if isinstance(field.of(config), bool)]
        others = [field for field in group.fields if field not in switches]
        places = [*(st.columns(2) if len(others) > 1 else [st.container()]), st.container()]
        for turn, field in enumerate(others):
            with places[turn % max(1, len(places) - 1)]:
                values[field.name] = _drawn(field, config)
        for field in switches:
            with places[-1]:
                values[field.name] = _drawn(field, config)
        sent = st.form_submit_button("Save")
    if not sent:
        return
    change = changes(group.fields, values, now=config)
    if not change:
        st.html(markup.note("Nothing was changed."))
        return
    with problems_said():
        save_settings(frame.library.root / "fabula.toml", change)
        st.session_state["said"] = f"{group.title}: saved in {frame.library.root.name}/fabula.toml."
        st.rerun()


def _drawn(field: Field, config: Config) -> Value:
    value: Any = field.of(config)
    told: dict[str, Any] = {"key": f"set-{field.name}", "help": field.help or None}
    if field.choices:
        choices = field.choices
        return str(st.selectbox(field.label, choices, index=choices.index(str(value)), **told))
    if isinstance(value, bool):
        return bool(st.toggle(field.label, value=value, **told))
    if isinstance(value, int):
        return int(st.number_input(field.label, value=value, step=int(field.step), **told))
    if isinstance(value, float):
        return float(st.number_input(field.label, value=value, step=float(field.step), **told))
    return str(st.text_input(field.label, value=value, **told))


def _usage(frame: Frame) -> None:
    with problems_said():
        with frame.project() as project:
            report = project.usage()
        st.html(usage_table(report, title=frame.story.title))


def usage_table(report: UsageReport, *, title: str) -> str:
    """What the models of one story were asked, the last days first, and what it cost."""
    if not report.lines:
        return markup.soft(f"{title}: no model has been used yet.")
    unpriced = ", ".join(report.unpriced)
    without = f", without {unpriced}: no price in generator.prices" if unpriced else ""
    rows = list(map(usage_row, report.lines[: -_LINES - 1 : -1]))
    below = f"{title}: {dollars_text(report.dollars)} dollars{without}, by {report.prices}."
    return html("settings", "usage", USAGE_HEAD, rows, below)


def _key(name: str) -> None:
    st.subheader("Key", anchor=False)
    st.html(html("settings", "key_state", name, has_key(name)))
    with st.form("key"):
        st.text_input("Key of the endpoint", type="password", autocomplete="off", key=_KEY)
        st.form_submit_button("Use this key", on_click=_take_key, args=(name,))
    if wrong := st.session_state.pop("key-refused", None):
        st.html(markup.alert(wrong))
    if has_key(name):
        st.button("Forget the key", type="tertiary", on_click=_drop_key, args=(name,))


def _take_key(name: str) -> None:
    """Out of the field, and of the session, into the environment."""
    try:
        keep_key(name, st.session_state.pop(_KEY, ""))
    except FabulaError as error:
        st.session_state["key-refused"] = str(error)
    st.session_state[_KEY] = ""


def _drop_key(name: str) -> None:
    try:
        forget_key(name)
    except FabulaError as error:
        st.session_state["key-refused"] = str(error)


def keep_key(name: str, value: str) -> None:
    """From now on, and until the app ends, ``value`` is in the variable ``name``. Raises UsageError for a
    name that is none of a key (capitals, ``_API_KEY`` at the end), or a value that cannot be one."""
    _check(name)
    key = value.strip()
    if not key or len(key) > _LONGEST or not key.isascii() or not key.isprintable() or " " in key:
        raise UsageError("that does not look like a key: paste it as the provider shows it, in one piece")
    os.environ[name] = key


def forget_key(name: str) -> None:
    """Takes it out of the environment. Raises UsageError as :func:`keep_key`."""
    _check(name)
    os.environ.pop(name, None)


def has_key(name: str) -> bool:
    """Is there one? Its value is for the model alone."""
    return bool(os.environ.get(name))


def _check(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name[:80]!r} is not the name of a key: use capitals, and _API_KEY at the end")
