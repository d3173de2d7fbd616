"""Model: the language model that is connected, what it is fit for, what it costs; and reading with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal

import streamlit as st

from ...config import Config, load_config
from ...errors import FabulaError
from ...llm.connecting.endpoints import EndpointKind, Offer, endpoint_kinds, look, offers_of, server_at
from ...project.connecting import CHOSEN, connected, off, save_settings, test_model, use, verdict_on
from ...project.spending import UsageReport
from ...project.trust import user_settings
from ...views.text.kept import USAGE_HEAD, dollars_text, usage_row
from ...views.text.render import counted
from .. import parts
from ..frame import Frame
from ..markup import html
from ..markup import page as markup
from ..shell import problems_said
from ..state.setting_fields import GROUPS, forget_key, has_key, keep_key
from .model_reading import PRICE, offer_reading, price_words, short_name
from .settings import setting_group

_KEY, _OFFERS, _ADDRESS = "endpoint-key", "model-offers", "server-address"
_LINES = 30


def page(frame: Frame) -> None:
    """The same as ``fabula model`` and its subcommands."""
    config = parts.settings_here(frame)
    name = connected(config)
    verdict = verdict_on(name) if name else None
    st.html(html("settings", "connected", name, short_name(name), verdict))
    _choose(frame, config, name, tested=verdict is not None)
    if name and frame.entry is not None:
        st.subheader("Read this story with it", anchor=False)
        offer_reading(frame, name, is_fit=verdict is None or verdict.reads)
    if frame.entry is not None:
        st.subheader("What it has been used for", anchor=False)
        _usage(frame)
    with st.expander("Key of a provider"):
        _key(config.generator.api_key_env)
    if name:
        with st.expander("How it is asked"):
            library = load_config(*user_settings(), *frame.library.settings)
            setting_group(frame, GROUPS["Language model"], library)


def _choose(frame: Frame, config: Config, name: str, *, tested: bool) -> None:
    """What can be done with the model that is connected, and the others that there are."""
    with st.container(horizontal=True):
        weight: Literal["primary", "secondary"] = "secondary" if tested else "primary"
        if name and st.button("Test it", type=weight, help="Two short requests."):
            _test(frame, config)
        if st.button("Look for models", type="secondary" if name else "primary", help=_HOW):
            st.session_state[_OFFERS] = look()
        if name:
            st.button("Use none", type="tertiary", on_click=_act, args=(partial(_chosen, frame, None),))
    for offer in st.session_state.get(_OFFERS, ()):
        told, button = st.columns([4, 1], vertical_alignment="center")
        told.html(html("settings", "offer", offer))
        label = "Connect" if offer.model else "Its models"
        act = partial(_chosen, frame, offer) if offer.model else partial(_asked, offer.kind)
        button.button(label, key=f"use-{offer.name}", on_click=_act, args=(act,))
    if st.session_state.get(_OFFERS) == ():
        st.html(markup.note(_NONE))
    with st.expander("A server on another machine"), st.form("server"):
        st.text_input("Its address", placeholder="http://192.168.1.20:11434/v1", key=_ADDRESS)
        st.form_submit_button(
            "Its models", on_click=_act, args=(lambda: _asked(server_at(st.session_state[_ADDRESS].strip())),)
        )


_NONE = (
    "No server on this machine answers (Ollama, LM Studio, llama.cpp, vLLM, KoboldCpp), and no key is in the "
    "environment. Start a server and look again, give the address of another machine's, or a provider's key."
)
_HOW = "Servers on this machine are asked, and keys looked for in the environment. Nothing is sent elsewhere."


def _act(act: Callable[[], str | None], said: str = "said") -> None:
    """Keeps what it gave, or what went wrong, to be ``said`` when the page is drawn again."""
    try:
        st.session_state[said] = act()
    except FabulaError as error:
        st.session_state[said] = str(error)


def _asked(server: EndpointKind) -> str:
    st.session_state[_OFFERS] = offers_of(server)
    return f"{server.title} was asked for its models."


def _chosen(frame: Frame, offer: Offer | None) -> str:
    """In the user's own settings; what library and story say of a model would stand above them, and goes."""
    file = off() if offer is None else use(offer)[1]
    for folder in (frame.library.root, *([frame.story.folder] if frame.entry is not None else [])):
        if (own := folder / "fabula.toml").is_file():
            save_settings(own, {"generator": CHOSEN})
    for kept in (_OFFERS, PRICE):
        st.session_state.pop(kept, None)
    return f"{f'{offer.name} is connected. Test it next' if offer else 'No model is connected'}: {file}"


def _test(frame: Frame, config: Config) -> None:
    with problems_said(), st.spinner("Asking two short questions"):
        book = None
        if frame.entry is not None:
            with frame.project() as project:
                book = project.document
        tested = test_model(config, book)
        told = [
            f"It is {tested.verdict.text}, and writes {tested.verdict.tokens_per_second:g} tokens a second."
        ]
        if tested.plan is not None:
            told.append(f"{frame.story.title}: {price_words(tested.plan)}")
        st.session_state["said"] = " ".join([*told, *(f"{one}." for one in tested.notes)])
        st.rerun()


def _usage(frame: Frame) -> None:
    with problems_said():
        with frame.project() as project:
            report = project.usage()
        st.html(markup.soft(usage_words(report)))
        if report.lines:
            with st.expander("By day and model"):
                st.html(usage_table(report))


def usage_words(report: UsageReport) -> str:
    """What the models of one story were asked, and what it cost, in a sentence."""
    if not report.lines:
        return "No model has been used for this story yet."
    words = f"{counted(sum(one.calls for one in report.models), 'request')} for this story"
    if report.dollars or not report.unpriced:
        words += f": {dollars_text(report.dollars)} dollars" if report.dollars else ", at no cost"
    if report.unpriced:
        names = dict.fromkeys(map(short_name, report.unpriced))
        words += f"; there is no known price for {', '.join(names)}"
    return f"{words}."


def usage_table(report: UsageReport) -> str:
    """The same by day and model, the last days first."""
    rows = list(map(usage_row, report.lines[: -_LINES - 1 : -1]))
    return html("settings", "usage", USAGE_HEAD, rows, f"Prices by {report.prices}.")


def _key(used: str) -> None:
    """The key of a provider, by the variable that holds it; first that of the model that is connected."""
    kinds = {one.key: one.title for one in endpoint_kinds().values() if one.key}
    first = used or "OPENAI_API_KEY"
    names = [first, *sorted({*kinds} - {first}, key=lambda one: kinds[one])]
    name = st.selectbox("Provider", names, format_func=lambda one: kinds.get(one, one))
    st.html(html("settings", "key_state", name, has_key(name)))
    with st.form("key"):
        st.text_input("Key of the endpoint", type="password", autocomplete="off", key=_KEY)
        st.form_submit_button("Use this key", on_click=_take_key, args=(name,))
    if wrong := st.session_state.pop("key-refused", None):
        st.html(markup.alert(wrong))
    if has_key(name):
        st.button(
            "Forget the key", type="tertiary", on_click=_act, args=(partial(forget_key, name), "key-refused")
        )


def _take_key(name: str) -> None:
    """Out of the field, and of the session, into the environment."""
    given = st.session_state.pop(_KEY, "")
    _act(lambda: keep_key(name, given), said="key-refused")
    st.session_state[_KEY] = ""
