"""Takes a picture of every page: ``python -m tests.browser.screens docs/screens`` from the repository's root.

Options: ``--width phone``, ``--dark``, ``--only search ask``; ``--home FOLDER --story NAME`` for a library of
your own in place of the demo story.
"""

import argparse
import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.browser.conftest import FLAGS, WIDTHS, chromium, window  # noqa: E402
from tests.browser.stories import make_home  # noqa: E402
from tests.browser.streamlit_app import StreamlitApp  # noqa: E402

LARGEST = 300_000  # bytes of a picture
TALLEST = 2600  # pixels


def main():
    told = _told()
    told.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        home = told.home or place / "home"
        if told.home is None:
            make_home(home, demo=_demo(place), scratch=place)
        own = {"XDG_CONFIG_HOME": str(place / "config")}  # the settings that everybody starts with
        with StreamlitApp(home, log=place / "app.log", environment=own) as app:
            _pictures(app, told)


def _told():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--width", choices=sorted(WIDTHS), default="laptop")
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--home", type=Path)
    parser.add_argument("--story")
    return parser.parse_args()


def _demo(place):
    from fabula.demo import reading_settings, save_story
    from fabula.engine import config_of, index_book

    config, _ = config_of(place / "demo", assignments=reading_settings())  # as a strong model read it
    index_book(save_story(place), place / "demo", config=config)
    return place / "demo"


def _pictures(app, told):
    from fabula.library.library import DEMO
    from fabula.ui.navigation import PAGES

    wide, high = WIDTHS[told.width]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        visit = window(browser, app, told.width, dark=told.dark)
        for info in PAGES:
            if told.only and info.key not in told.only:
                continue
            seconds = visit.open(info.key, story=told.story or DEMO)
            if told.story is None:
                STEPS.get(info.key, lambda _: None)(visit)
            visit.settle()
            visit.page.wait_for_timeout(700)
            name = f"{info.key}{'-dark' if told.dark else ''}{'-phone' if told.width == 'phone' else ''}.png"
            size = _picture(visit.page, told.out / name, wide=wide, high=high)
            sys.stdout.write(f"{name}: {seconds:.1f} s, {size // 1000} KB, {visit.overflow} px too wide\n")
        browser.close()


def _picture(page, file, *, wide, high):
    """The page down to TALLEST pixels, in few enough colours to be small; its size in bytes."""
    tall = page.evaluate("() => document.querySelector('[data-testid=\"stMain\"]').scrollHeight")
    page.set_viewport_size({"width": wide, "height": min(max(high, tall), TALLEST)})
    page.wait_for_timeout(400)
    taken = Image.open(BytesIO(page.screenshot()))
    for colours in (256, 128, 64, 32):
        taken.convert("RGB").quantize(colours, dither=Image.Dither.NONE).save(file, optimize=True)
        if file.stat().st_size <= LARGEST:
            break
    page.set_viewport_size({"width": wide, "height": high})
    return file.stat().st_size


def _search(visit):
    visit.ask("Look for", "lamp on the footplate", "Search", shows=".f-hit")
    visit.page.get_by_text("In its context").first.click()


def _ask(visit):
    visit.ask("Your question", "Who kept the lamp?", "Ask", shows=".f-verdict")
    if visit.page.locator(".f-cited summary").count():
        visit.page.locator(".f-cited summary").first.click()


def _compare(visit):
    prompt = visit.page.get_by_label("What should happen next?")
    if not prompt.input_value():
        prompt.fill("Somebody comes to the mill at night.")
    visit.page.get_by_role("button", name="Write and compare").click()
    visit.page.locator(".f-lead").first.wait_for(timeout=600_000)  # three drafts by the packaged model


def _continuity(visit):
    visit.check("Wilf hated Len. Harriet Pellow was nineteen years old.")


STEPS = {"search": _search, "ask": _ask, "compare": _compare, "continuity": _continuity}

if __name__ == "__main__":
    main()
