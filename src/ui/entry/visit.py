"""What Streamlit runs for each visit when ``fabula app`` started it; ``app_streamlit.py`` does the same."""

from fabula.ui.app import run

run()
