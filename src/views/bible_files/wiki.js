// The slider leads to the page of its chapter, the field leaves what holds its words. Pages work without it.
document.documentElement.classList.add("has-js");
const slider = document.getElementById("chapter");
const page = (number) => `chapter-${String(number).padStart(3, "0")}.html`;

if (slider) {
  const here = Number(slider.value);
  const next = document.getElementById("next");
  const chosen = document.getElementById("chosen");
  let waiting;
  slider.max = last;
  slider.value = here;
  if (here < last) next.href = page(here + 1);
  else next.remove();
  slider.addEventListener("input", () => {
    clearTimeout(waiting);
    chosen.textContent = `Chapter ${slider.value}`;
  });
  slider.addEventListener("change", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      if (Number(slider.value) !== here) location.href = `${page(slider.value)}#chapter`;
    }, 500); // for who holds an arrow key
  });
  if (location.hash === "#chapter") slider.focus();

  const filter = document.getElementById("filter");
  const entries = [...document.querySelectorAll("article")].map((entry) => ({
    entry,
    words: entry.textContent.toLowerCase(),
    link: document.querySelector(`[data-for="${entry.id}"]`),
  }));
  const sift = () => {
    const wanted = filter.value.trim().toLowerCase();
    let count = 0;
    for (const { entry, words, link } of entries) {
      const holds = words.includes(wanted);
      entry.hidden = link.hidden = !holds;
      count += holds;
    }
    for (const part of document.querySelectorAll("main section")) {
      part.hidden = wanted && !part.querySelector("article:not([hidden])");
    }
    document.getElementById("found").textContent = wanted
      ? `${count} of ${entries.length} ${entries.length === 1 ? "entry" : "entries"}`
      : "";
  };
  filter.addEventListener("input", sift);
  addEventListener("hashchange", () => {
    const target = document.getElementById(location.hash.slice(1));
    if (target && target.hidden) {
      filter.value = "";
      sift();
      target.scrollIntoView();
    }
  });
}
