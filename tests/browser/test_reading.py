from playwright.sync_api import expect

from fabula.library.library import DEMO

from .stories import LATER_STORY

READ = (
    ".f-where",
    ".f-mast h1",
    ".f-hit .f-prose",
    ".f-hit mark",
    ".f-shares li",
    ".f-verdict",
    '[data-variant="segmented_control"][aria-checked="true"] p',
    '[data-testid="stBaseButton-primaryFormSubmit"]',
    '[data-testid="stWidgetLabel"]',
)


def test_an_answer_stands_on_a_quote_that_opens_in_its_place(visit):
    reader = visit()
    reader.open("ask", story=LATER_STORY, chapter=3)
    reader.ask("Your question", "Who kept the lock at Moss End?", "Ask", shows=".f-cited")
    assert "Written by scripted" in reader.words
    reader.page.locator(".f-cited a", has_text="Anna Weir kept the lock").first.click()
    expect(reader.page.locator(".f-at").first).to_be_in_viewport()


def test_light_and_dark_can_be_read(visit):
    for dark in (False, True):
        reader = visit(dark=dark)
        reader.open("search", story=DEMO)
        reader.ask("Look for", "lamp", "Search", shows=".f-hit")
        for place in READ:
            assert contrast(reader.page, place) >= 4.5, (place, dark)


def contrast(page, place):
    """WCAG 2.2 contrast of a piece of text with what lies behind it."""
    return page.evaluate(
        """(place) => {
          const one = document.querySelector('[data-testid="stMain"] ' + place);
          const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
          const paint = (under, colour) => {
            canvas.fillStyle = `rgb(${under.join(',')})`; canvas.fillRect(0, 0, 1, 1);
            canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
            return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3); };
          let behind = [255, 255, 255]; const above = [];
          for (let at = one; at; at = at.parentElement) above.unshift(getComputedStyle(at).backgroundColor);
          for (const colour of above) behind = paint(behind, colour);
          const front = paint(behind, getComputedStyle(one).color);
          const light = (rgb) => { const [r, g, b] = rgb.map(v => v / 255).map(
              v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
          const [a, b] = [light(front), light(behind)].sort((x, y) => y - x);
          return (a + 0.05) / (b + 0.05); }""",
        place,
    )
