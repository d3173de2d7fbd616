"""The app in a real browser: started once, watched for every word that goes in and out.

Without a chromium these tests are skipped; with ``FABULA_BROWSER_REQUIRED=1`` they fail instead.
"""

import os
import shutil
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from playwright.sync_api import sync_playwright
from tests.browser.replies import Replies
from tests.browser.stories import make_home
from tests.browser.streamlit_app import StreamlitApp
from tests.browser.traffic import Traffic
from tests.llm.chat_server import ChatServer
from tests.tables import file_text

WIDTHS = {"wide": (1440, 900), "laptop": (1280, 800), "phone": (390, 844)}
OFF = ("gpu", "quic", "background-networking", "component-update", "sync", "dev-shm-usage")
FLAGS = ["--no-sandbox", "--no-first-run", *(f"--disable-{one}" for one in OFF)]
PATIENCE = 60_000  # milliseconds
STARTS = 10_000  # milliseconds until a busy server begins with what it was sent
HOME = "library"  # has no address of its own
COUNT_RUNS = """
window.runs = 0;
new MutationObserver(seen => seen.forEach(({target}) => {
  if (target.dataset.testScriptState === "running") window.runs += 1;
})).observe(document, {subtree: true, attributeFilter: ["data-test-script-state"]});
"""


def chromium():
    """Where a chromium is, or None."""
    named = os.environ.get("FABULA_CHROMIUM")
    found = [named] if named else [shutil.which("chromium"), shutil.which("chromium-browser")]
    return next((path for path in found if path and Path(path).is_file()), None)


def pytest_collection_modifyitems(items):
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser():
    path = chromium()
    if path is None:
        why = "no chromium on this machine: run scripts/install_browser.sh"
        if os.environ.get("FABULA_BROWSER_REQUIRED") == "1":
            pytest.fail(why)
        pytest.skip(why)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def app(browser, demo_project, tmp_path_factory):
    """The app over a library of three stories, its model a script on this machine."""
    scratch = tmp_path_factory.mktemp("browser")
    with ChatServer(Replies()) as model:
        settings = (
            f'[generator]\nprovider = "openai"\nmodel = "scripted"\nbase_url = "{model.url}"\n'
            'api_key_env = "FABULA_TEST_API_KEY"\n'
        )
        make_home(scratch / "home", demo=demo_project, scratch=scratch)
        own = scratch / "config" / "fabula"
        own.mkdir(parents=True)
        (own / "fabula.toml").write_text(settings, encoding="utf-8")
        environment = {"FABULA_TEST_API_KEY": "no-secret", "XDG_CONFIG_HOME": str(own.parent)}
        with StreamlitApp(scratch / "home", log=scratch / "app.log", environment=environment) as started:
            yield started


class Visit:
    """One reader's browser window."""

    def __init__(self, page, traffic, app):
        self.page, self.traffic, self.app = page, traffic, app
        self._sent = self._runs = 0

    def open(self, key, *, story=None, chapter=None):
        """Goes to a page by its address; seconds until its heading stands there."""
        asked = [f"story={story}"] if story else []
        asked += [f"chapter={chapter}"] if chapter else []
        start, self._runs = time.monotonic(), 0
        self.page.goto(f"{self.app.url}/{'' if key == HOME else key}?{'&'.join(asked)}", wait_until="commit")
        self.page.locator(".f-mast h1").wait_for(timeout=PATIENCE)
        seconds = time.monotonic() - start
        self.settle()
        return seconds

    def turn_to(self, title):
        """Goes to a page by the navigation, in the same session."""
        links = self.page.locator('.st-key-menu [data-testid="stPageLink-NavLink"]')
        folded = self.page.get_by_test_id("stExpandSidebarButton")
        if folded.is_visible():
            folded.click()
            self.page.get_by_test_id("stSidebarCollapseButton").wait_for()
        links.filter(has_text=title).first.click()
        self.page.locator(".f-mast h1", has_text=title).wait_for(timeout=PATIENCE)
        self.settle()
        self._fold()

    def _fold(self):
        """On a phone the navigation lies over the page until it is put away."""
        section = self.page.locator('[data-testid="stSidebar"]')
        if self.page.viewport_size["width"] < 768 and section.get_attribute("data-collapsed") == "false":
            self.page.get_by_test_id("stSidebarCollapseButton").locator("button").click()
            self.page.locator('[data-testid="stSidebar"][data-collapsed="true"]').wait_for(state="attached")

    def settle(self):
        """Waits until what the page has asked for was run and everything that it drew is there."""
        if self.traffic.sent > self._sent:
            with suppress(PlaywrightTimeout):  # not all that is sent asks for a run
                self.page.wait_for_function(
                    "before => window.runs !== before", arg=self._runs, timeout=STARTS
                )
        self.page.locator('.stApp[data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)
        self.page.wait_for_function("() => !document.querySelector('[data-testid=\"stSkeleton\"]')")
        self._sent, self._runs = self.traffic.sent, self.page.evaluate("window.runs")

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).first.click()
        self.page.wait_for_timeout(300)
        self.settle()

    def ask(self, label, words, button, *, shows):
        """Fills a form, sends it, and waits for what it shows."""
        self.page.get_by_label(label, exact=True).fill(words)
        self.press(button)
        self.page.locator(shows).first.wait_for()

    def check(self, draft):
        """On the page Continuity."""
        self.page.get_by_text("A draft", exact=True).click()
        self.ask("The draft", draft, "Check it", shows=".s-find")

    @property
    def words(self):
        return self.page.locator(".stApp").inner_text()

    @property
    def overflow(self):
        """How many pixels the page is wider than the window."""
        return self.page.evaluate(
            "() => { const m = document.querySelector('[data-testid=\"stMain\"]') || document.body;"
            " return Math.max(m.scrollWidth - m.clientWidth,"
            " document.documentElement.scrollWidth - window.innerWidth); }"
        )

    @property
    def covered(self):
        """How many pixels of the page's head lie under the bar at the top."""
        bar = self.page.get_by_test_id("stHeader").bounding_box()
        head = self.page.locator(".f-mast").bounding_box()
        return max(0, bar["y"] + bar["height"] - head["y"])

    @property
    def unlabelled(self):
        """Inputs and buttons on show that say nothing to a screen reader."""
        return self.page.evaluate(file_text(__file__, "unlabelled.js"))


class Task:
    """What somebody wants to have done: counts each click, field that is filled and choice from a list, and
    at the end says how many there were, at most ``most``."""

    def __init__(self, reader, most=4):
        self.reader, self.page, self.most = reader, reader.page, most
        self.clicks, self.began = 0, time.monotonic()

    def __enter__(self):
        return self

    def __exit__(self, failed, *_):
        if not failed:
            sys.stdout.write(f"{self.clicks} clicks, {time.monotonic() - self.began:.1f} s\n")  # pytest -rP
            assert self.clicks <= self.most

    def turn_to(self, title):
        self.clicks += 1
        self.reader.turn_to(title)

    def press(self, name):
        self.clicks += 1
        self.reader.press(name)

    def click(self, place):
        """A locator, or the very words."""
        self.clicks += 1
        found = self.page.get_by_text(place, exact=True) if isinstance(place, str) else place
        found.first.click()
        self._settle()

    def fill(self, label, words):
        self.clicks += 1
        box = self.page.get_by_label(label, exact=True).first
        box.fill(words)
        box.press("Enter")
        self._settle()

    def choose(self, label, name):
        self.clicks += 1
        self.page.get_by_role("combobox", name=label).first.click()
        self.page.keyboard.type(name)
        self.page.keyboard.press("Enter")
        self.page.keyboard.press("Tab")
        self._settle()

    def shows(self, place, words=None, *, timeout=PATIENCE):
        self.page.locator(place, has_text=words).first.wait_for(timeout=timeout)
        self.reader.settle()

    def _settle(self):
        self.page.wait_for_timeout(300)
        self.reader.settle()


def window(browser, app, width, *, dark):
    """A new window of this width."""
    wide, high = WIDTHS[width]
    context = browser.new_context(
        viewport={"width": wide, "height": high}, color_scheme="dark" if dark else "light"
    )
    context.set_default_timeout(PATIENCE)
    context.add_init_script(COUNT_RUNS)
    traffic = Traffic()
    return Visit(traffic.watch(context.new_page()), traffic, app)


@pytest.fixture
def visit(browser, app):
    """Opens windows: ``visit()``, ``visit("phone")``, ``visit(dark=True)``, ``visit(own=app)`` of an app that
    a test started. Fails where any of them asked another machine for something."""
    visits = []

    def opened(width="laptop", *, dark=False, own=None):
        visits.append(window(browser, own or app, width, dark=dark))
        return visits[-1]

    yield opened
    for one in visits:
        one.page.context.close()
    outside = [url for one in visits for url in one.traffic.outside]
    assert not outside, f"the app asked other machines: {outside[:5]}"
