() => [...document.querySelectorAll('[data-testid="stMain"] :is(input, textarea, button),'
  + '[data-testid="stSidebar"] input')].filter(e => {
    if (e.type === 'hidden' || e.offsetParent === null) return false;
    if (!e.checkVisibility({visibilityProperty: true})) return false;  // in what is closed
    const by = e.getAttribute('aria-labelledby');
    const named = e.getAttribute('aria-label') || e.getAttribute('title') || e.innerText
      || (by && document.getElementById(by)) || (e.labels && e.labels.length);
    return !named; }).map(e => e.outerHTML.slice(0, 200))
