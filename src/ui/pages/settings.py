"""Settings: how drafts and answers are made, memory, and the health of this installation."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ...config import Config, load_config
from ...project.connecting import save_settings
from ...project.doctor import examine
from ...project.trust import user_settings
from ..frame import Frame
from ..markup import html
from ..markup import page as markup
from ..shell import problems_said
from ..state.setting_fields import GROUPS, Field, Group, Value, changes


def page(frame: Frame) -> None:
    """Settings by group, and what is installed. What is saved goes into the library's ``fabula.toml``. What
    is about the language model itself is on the page Model."""
    config = load_config(*user_settings(), *frame.library.settings)
    left, right = st.columns([3, 2], gap="large")
    with left:
        for title, group in GROUPS.items():
            if title != "Language model":
                setting_group(frame, group, config)
    with right:
        st.subheader("Health", anchor=False)
        checks = examine(asks=False).checks
        st.html(html("settings", "health", checks, sum(not check.healthy for check in checks)))
        st.subheader("Language model", anchor=False)
        st.page_link(frame.links["model"], label="Connect, test or switch off a model")
        st.subheader("Appearance", anchor=False)
        st.html(markup.soft("Light or dark follows this machine; the menu at the top right changes it."))


def setting_group(frame: Frame, group: Group, config: Config) -> None:
    """The form of settings that are saved together."""
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
