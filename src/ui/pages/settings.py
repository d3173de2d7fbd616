"""Settings: models, keys, memory, and the health of this installation."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ...config import Config, load_config
from ...errors import FabulaError
from ...project.doctor import examine
from ...project.settings_writer import save_settings
from ...project.trust import user_settings
from ..frame import Frame
from ..markup import page as markup
from ..markup import settings as settings_markup
from ..shell import problems_said
from ..state.endpoint_keys import forget_key, has_key, keep_key
from ..state.setting_fields import GROUPS, Field, Group, Value, changes

_KEY = "endpoint-key"


def page(frame: Frame) -> None:
    """Settings by group, the key of an endpoint, and what is installed. What is saved goes into the library's
    ``fabula.toml``."""
    config = load_config(*user_settings(), *frame.library.settings)
    left, right = st.columns([3, 2], gap="large")
    with left:
        for group in GROUPS:
            _group(frame, group, config)
    with right:
        _key(config.generator.api_key_env)
        if frame.entry is not None:
            st.subheader("Usage", anchor=False)
            _usage(frame)
        st.subheader("Health", anchor=False)
        st.html(settings_markup.health(examine()))
        st.subheader("Appearance", anchor=False)
        st.html(markup.soft("Light or dark follows this machine; the menu at the top right changes it."))


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
        st.html(settings_markup.usage(report, title=frame.story.title))


def _key(name: str) -> None:
    st.subheader("Key", anchor=False)
    st.html(settings_markup.key_state(name, has_key(name)))
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
