"""The app as a process of its own, with the stories and the model that a test wants it to have."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx

ROOT = Path(__file__).parents[2]
START_LIMIT = 90  # seconds


class StreamlitApp:
    """``fabula app`` (``streamlit run`` in its place, ``by_streamlit``) on a free loopback port, until the
    block ends. ``log`` is what it wrote."""

    def __init__(self, home, *, log, environment=None, by_streamlit=False):
        self.home, self.log, self._by_streamlit = home, log, by_streamlit
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        own = {"FABULA_HOME": str(home), "OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive"}
        self.own = environment or {}
        self._environment = os.environ | own | self.own

    def __enter__(self):
        command = [sys.executable, "-m", "fabula", "app", "--headless", f"--port={self.port}"]
        if self._by_streamlit:
            flags = ("--server.headless=true", f"--server.port={self.port}")
            command = [sys.executable, "-m", "streamlit", "run", "app_streamlit.py", *flags]
        self._out = self.log.open("wb")
        self._process = subprocess.Popen(
            command, cwd=ROOT, env=self._environment, stdout=self._out, stderr=subprocess.STDOUT
        )
        try:
            self._wait()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self._process.terminate()
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._out.close()

    def _wait(self):
        end = time.monotonic() + START_LIMIT
        while time.monotonic() < end:
            if self._process.poll() is not None:
                raise RuntimeError(f"the app ended at once:\n{self.log.read_text()[-2000:]}")
            try:
                if httpx.get(f"{self.url}/_stcore/health", timeout=1, trust_env=False).status_code == 200:
                    return
            except httpx.HTTPError:
                time.sleep(0.1)
        raise RuntimeError(f"the app did not start in {START_LIMIT} s:\n{self.log.read_text()[-2000:]}")


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
