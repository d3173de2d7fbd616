"""What Streamlit runs for each visit, whether ``fabula app`` started it or ``app_streamlit.py``."""

from fabula.ui.app import run

run()
