"""The app: `fabula app`, or `streamlit run app_streamlit.py`."""

import streamlit as st

from fabula.ui.starting import SCRIPT, doors

app = st.App(SCRIPT, middleware=doors())
