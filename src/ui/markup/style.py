"""The page's style sheet. Colours come from Streamlit's theme by way of ``currentColor``."""

from __future__ import annotations

# An emoji here would be fetched from another machine.
ICON = (
    '<svg viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#3c5f86"/>'
    '<path d="M8 9h16M8 16h16M8 23h10" stroke="#faf9f6" stroke-width="3" stroke-linecap="round"/></svg>'
)

LOGO = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 124 32" width="124" height="32" role="img" '
    'aria-label="fabula"><rect width="32" height="32" rx="7" fill="#3c5f86"/>'
    '<path d="M8 9h16M8 16h16M8 23h10" stroke="#faf9f6" stroke-width="3" stroke-linecap="round"/>'
    '<text x="42" y="24" fill="#5780ad" font-family="Palatino, Charter, Georgia, serif" font-size="25">'
    "fabula</text></svg>"
)

STYLE = """
<style>
.stMainBlockContainer { max-width: 84rem; padding: 4.25rem 3rem 4rem; }
.f-mast, .f-story, .f-head, .f-asked, .f-strip, .f-card, .f-context, .f-note, .f-alert, .f-prose, .f-table,
.f-steps, .f-soft, .f-status, .f-verdict, .f-hit, .f-why, .f-question, .f-cited, .f-health {
  --line: color-mix(in srgb, currentColor 17%, transparent);
  --wash: color-mix(in srgb, currentColor 4%, transparent);
  --quiet: color-mix(in srgb, currentColor 72%, transparent);
  --serif: "Source Serif", "Iowan Old Style", Palatino, Charter, Georgia, serif;
  overflow-wrap: anywhere;
}
.stHtml p { margin: 0; }
.stHtml ol, .stHtml ul, .stHtml dl, .stHtml dd { margin: 0; padding: 0; }
.stHtml h1, .stHtml h2, .stHtml h3, .stHtml h4 { padding: 0; margin: 0; }
.stApp button[data-variant][data-selected="true"], .stApp [data-testid="stSliderThumbValue"] {
  color: inherit; }
.stMainBlockContainer h3 { font-size: 1.15rem; }
.f-mast h1 { font: 400 2rem/1.2 var(--serif); letter-spacing: -.01em; }
.f-mast p { color: var(--quiet); margin-top: .2rem; }
.f-mast { border-bottom: 1px solid var(--line); padding-bottom: 1.1rem; }
.f-mast .f-where { font-size: .875rem; margin: 0 0 .5rem; }
.f-where b { font-weight: 600; color: inherit; margin-right: .5rem; }
.f-story h2 { font: 400 1.25rem/1.3 var(--serif); margin-bottom: .3rem; }
.f-badge { font: 600 .72rem/1 "Source Sans", sans-serif; border: 1px solid currentColor; border-radius: 1rem;
  padding: .1rem .5rem; vertical-align: .25em; margin-left: .35rem; color: var(--quiet); }
.f-soft, .f-story p { color: var(--quiet); font-size: .875rem; }
.stHtml mark { background: color-mix(in srgb, #d9a441 38%, transparent); color: inherit;
  border-radius: .15rem;
  padding: 0 .1em; }
.f-hit { border-top: 1px solid var(--line); padding-top: 1rem; display: grid; gap: .6rem; }
.f-hit .f-prose, .f-answer, .f-around, .f-diff { max-width: 46rem; }
.f-place { font-size: .9rem; display: flex; flex-wrap: wrap; gap: .2rem .8rem; align-items: baseline; }
.f-place b { font-weight: 600; font-variant-numeric: tabular-nums; }
.f-shares { max-width: 46rem; display: grid; gap: .35rem; }
.f-bar { display: flex; gap: 2px; height: .45rem; border-radius: .25rem; overflow: hidden; }
.f-bar i { flex-basis: 0; background: var(--by); }
.stHtml .f-shares ul { list-style: none; display: flex; flex-wrap: wrap; gap: .15rem 1.1rem;
  font-size: .82rem;
  color: var(--quiet); }
.stHtml .f-shares li { margin: 0; font-variant-numeric: tabular-nums; }
.f-shares li::before { content: ""; display: inline-block; width: .6rem; height: .6rem; border-radius: .15rem;
  background: var(--by); margin-right: .4rem; }
.f-shares .f-score::before { display: none; }
.f-by-lexical { --by: #a8752a; } .f-by-semantic { --by: #4f82bb; } .f-by-coverage { --by: #7f8a3a; }
.f-by-nearness { --by: #a0607a; } .f-by-graph { --by: #4b8f79; }
.f-why p { margin-bottom: .3rem; }
.stHtml .f-why ul { padding-left: 1.1rem; font-size: .9rem; }
.f-question { font: 400 1.3rem/1.4 var(--serif); }
.f-answer { font-size: 1.12rem; }
.f-answer sup { font: 600 .7em/0 "Source Sans", sans-serif; margin-left: .1em; }
.stHtml .f-answer sup a { text-decoration: none; padding: .3em .35em; margin: 0 -.2em; }
.f-cited { border-top: 1px solid var(--line); padding: .55rem 0; max-width: 46rem; }
.f-cited summary { cursor: pointer; line-height: 1.5; }
.f-cited summary b { font-weight: 600; margin-right: .4rem; }
.f-said { font-family: var(--serif); }
.f-around mark { background: color-mix(in srgb, #d9a441 20%, transparent) !important; }
.f-around { margin: .6rem 0 0; font-size: .98rem; border-left: 2px solid var(--line); padding-left: .9rem; }
.f-diff del { text-decoration: line-through; color: var(--quiet);
  background: color-mix(in srgb, #b9483d 14%, transparent); }
.f-diff ins { text-decoration: underline; background: color-mix(in srgb, #4b8f79 22%, transparent); }
.stHtml .f-health { display: grid; gap: 0; font-size: .875rem; }
.f-health > div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .1rem 1rem;
  padding: .35rem 0; border-bottom: 1px solid var(--line); }
.f-health dt { font-weight: 400; } .f-health dd { color: var(--quiet); }
.f-health .f-missing dt { font-weight: 600; } .f-health .f-missing dt::before { content: "missing: "; }
.f-health code { display: block; }
.f-table td small { font-variant-numeric: tabular-nums lining-nums; white-space: nowrap; }
summary:focus-visible, .f-scroll:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
.stHtml .f-steps { list-style: none; margin: .75rem 0 1rem; display: grid; gap: 1.5rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr)); counter-reset: step; }
.stHtml .f-steps li { margin: 0; padding: .9rem 0 0; border-top: 2px solid var(--line); line-height: 1.5; }
.f-steps b { display: block; font: 400 1.15rem/1.5 var(--serif); }
.f-note, .f-alert { border-left: 3px solid #b9832f; background: color-mix(in srgb, #b9832f 11%, transparent);
  padding: .6rem .9rem; border-radius: 0 .4rem .4rem 0; font-size: .925rem; line-height: 1.5; }
.f-alert { border-color: #b9483d; background: color-mix(in srgb, #b9483d 12%, transparent); }
.f-asked { border-top: 1px solid var(--line); padding-top: 1.25rem; }
.f-asked > p { font: 400 1.2rem/1.5 var(--serif); max-width: 46rem; white-space: pre-wrap; }
.stHtml .f-asked dl { display: flex; flex-wrap: wrap; gap: .4rem 2.25rem; margin-top: .9rem;
  font-size: .875rem; }
.f-asked dt, .f-strip dt { color: var(--quiet); font-weight: 400; font-size: .78rem; }
.f-asked dd, .f-strip dd { margin: 0; }
.f-head { border-top: 2px solid currentColor; padding-top: .7rem; margin-top: 1rem; }
.f-head h3 { font-size: 1.15rem; font-weight: 600; text-transform: capitalize; }
.f-head p { color: var(--quiet); font-size: .875rem; line-height: 1.45; margin-top: .15rem;
  min-height: 2.9em; }
.stHtml .f-strip { display: grid; grid-template-columns: repeat(4, auto); justify-content: space-between;
  gap: .5rem;  padding: .6rem 0; border-top: 1px solid var(--line); border-bottom: 1px solid var(--line);
  overflow-wrap: normal; }
.f-strip dd { font-size: 1.15rem; font-variant-numeric: tabular-nums lining-nums; line-height: 1.35; }
.f-prose { font: 400 1.03rem/1.65 var(--serif); white-space: pre-wrap; unicode-bidi: plaintext; }
.f-status { color: var(--quiet); font-size: .875rem; margin-bottom: .5rem !important; }
.f-status::before { content: ""; display: inline-block; width: .5rem; height: .5rem; margin-right: .5rem;
  border-radius: 50%; background: #55907a; }
.f-verdict { font-size: .9rem; line-height: 1.5; color: var(--quiet); }
.f-verdict b { font-weight: 600; }
.f-tag { color: var(--quiet); font-size: .8rem; }
.f-card { border: 1px solid var(--line); border-left: 3px solid var(--quiet); border-radius: .4rem;
  padding: .8rem 1rem; font-size: .92rem; line-height: 1.5; display: grid; gap: .45rem; }
.f-card.f-error { border-left-color: #b9483d; }
.f-card.f-warning { border-left-color: #b9832f; }
.f-card b { font-weight: 600; }
.f-card i { color: var(--quiet); font-style: normal; }
.f-quotes { display: grid; gap: .5rem; }
.f-quote { margin: 0 !important; padding: 0 0 0 .8rem !important; border: 0;
  border-left: 2px solid var(--line); color: inherit; white-space: pre-wrap;
  font: 400 .95rem/1.5 var(--serif); }
.f-quote cite { display: block; font: normal .78rem/1.5 "Source Sans", sans-serif; color: var(--quiet); }
.f-context { display: grid; gap: .6rem; max-height: 34rem; overflow-y: auto; padding-right: .5rem;
  font-size: .9rem; }
.f-context h4 { font-size: .95rem; font-weight: 600; margin-top: .6rem; }
.f-source { border-top: 1px solid var(--line); padding-top: .5rem; display: grid; gap: .3rem; }
.f-source .f-prose { font-size: .95rem; line-height: 1.55; }
.f-source .f-quote { font-size: .88rem; }
.f-context details { border-top: 1px solid var(--line); padding-top: .5rem; }
.f-context summary { cursor: pointer; }
.stHtml .f-context ul { padding-left: 1.1rem; }
.f-context li { font-size: .85rem; margin: .2rem 0; }
.f-scroll { overflow-x: auto; }
.f-table { border-collapse: collapse; width: 100%; font-size: .93rem; overflow-wrap: normal; margin: 0; }
.f-table th, .f-table td { border: 0; border-bottom: 1px solid var(--line); padding: .5rem 0 .5rem 1.25rem;
  text-align: right; vertical-align: top; white-space: nowrap;
  font-variant-numeric: tabular-nums lining-nums; }
.f-table th:first-child { text-align: left; padding-left: 0; font-weight: 400; white-space: normal;
  min-width: 11rem; }
.f-table thead th { text-transform: capitalize; font-weight: 600; }
.f-table thead th:first-child, .f-table .f-group th { font-weight: 600; }
.f-table .f-group th { padding-top: 1.3rem; }
.f-table small { display: block; color: var(--quiet); font-size: .8rem; line-height: 1.4; margin-top: .1rem; }
.f-table span { color: var(--quiet); }
@media (max-width: 640px) {
  .stMainBlockContainer { padding: 4.25rem 1.1rem 4rem; }
  .f-head { margin-top: 1.25rem; }
  .f-head p { min-height: 0; }
  .f-table th, .f-table td { padding-left: .7rem; }
}
</style>
"""
