"""The comparison app: `fabula app`, or `streamlit run app_streamlit.py`."""

from fabula.ui.app import run

run()
