"""Which words tell a time, and which time: the rules of the grammar of time (see ``time.grammar``).

A rule is a kind (as on ``TimeTold``; ``"bare age"`` is a number behind "was"), a regular expression, and what
makes a value of its match; an empty value makes it none. Values are ISO 8601 with the extensions of ISO
8601-2:2019 (X for a digit that is not told, 21 to 24 for the seasons in place of a month) and, for parts of
the day, the codes of TimeML's TIMEX3 (TMO morning, TAF afternoon, TEV evening, TNI night).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from .amounts import AMOUNT, NUMBER, UNITS, duration_of, number_of

__all__ = ["CALENDAR", "Rule", "Value", "triggers"]

Value = Callable[["re.Match[str]"], str]
_MONTHS = "january february march april may june july august september october november december".split()
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
CALENDAR = frozenset((*_MONTHS, *_DAYS))
"""The names of months and weekdays, lower case."""
_SEASONS = {"spring": 21, "summer": 22, "autumn": 23, "fall": 23, "winter": 24}
_PARTS = {
    "morning": "TMO", "forenoon": "TMO", "dawn": "TMO", "daybreak": "TMO", "sunrise": "TMO",
    "afternoon": "TAF", "evening": "TEV", "dusk": "TEV", "sunset": "TEV", "twilight": "TEV",
    "nightfall": "TEV", "night": "TNI",
}  # fmt: skip
_STEPS = {"week": "1W", "fortnight": "2W", "month": "1M", "year": "1Y"} | dict.fromkeys(_SEASONS, "1Y")

_MONTH = "(?-i:(?P<month>" + "|".join(name.capitalize() for name in _MONTHS) + "))"
_OTHER_MONTH = "(?-i:(?:" + "|".join(name.capitalize() for name in _MONTHS) + "))"
_WEEKDAY = "(?-i:(?P<weekday>" + "|".join(name.capitalize() for name in _DAYS) + "))"
_SEASON = "(?P<season>" + "|".join(_SEASONS) + ")"
_YEAR = r"(?P<year>1[0-9]\d\d|20\d\d)"
_ORDINALS = """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
    fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first
    twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh
    twenty-eighth twenty-ninth thirtieth thirty-first""".split()
_AND_TWENTIETH = {
    f"{one}-and-twentieth": 20 + i
    for i, one in enumerate("one two three four five six seven eight nine".split(), 1)
}
_DAY = r"(?P<day>[0-3]?\d|" + "|".join([*_AND_TWENTIETH, *reversed(_ORDINALS)]) + r")(?:st|nd|rd|th)?"
# feasts that fall on one day every year
_FEASTS = {
    "new year's day": "01-01", "new year's eve": "12-31", "twelfth night": "01-05", "candlemas": "02-02",
    "st valentine's day": "02-14", "valentine's day": "02-14", "lady day": "03-25",
    "st patrick's day": "03-17",
    "april fools' day": "04-01", "all fools' day": "04-01", "st george's day": "04-23", "may day": "05-01",
    "midsummer day": "06-24", "midsummer's day": "06-24", "st swithin's day": "07-15", "lammas": "08-01",
    "michaelmas": "09-29", "michaelmas day": "09-29", "all saints' day": "11-01", "all souls' day": "11-02",
    "hallowe'en": "10-31", "all hallows' eve": "10-31", "guy fawkes day": "11-05", "martinmas": "11-11",
    "st andrew's day": "11-30", "christmas eve": "12-24", "christmas day": "12-25", "boxing day": "12-26",
    "innocents' day": "12-28",
}  # fmt: skip
_FEAST = "|".join(
    sorted((name.replace("'", "['’]").replace("st ", r"st\.? ") for name in _FEASTS), reverse=True)
)
_LAST_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_IN = r"(?:in|that|this|early in|late in|during)"
_ABOUT = "in|since|until|till|by|early in|late in"
_TURN = "last|next|past|first"
_LATER = r"(?:later|afterwards?|after|thereafter|hence|from (?:now|then|that))"
_COMING = "next|following|ensuing|succeeding"
_WHO = "i|he|she|we|they|you|it|any one|anyone|anybody"
_ALL = "all|the whole|the entire|the livelong"
_TURNINGS = "dawn|daybreak|sunrise|dusk|sunset|twilight|nightfall"
_STEP = r"(?P<step>day|morning|afternoon|evening|night|" + "|".join(_STEPS) + ")"
_NEAR = r"(?:(?:about|nearly|almost|some|scarcely|hardly|barely|only|just|more than|less than|at least) )?"
_HOUR = rf"(?P<hour>{NUMBER})"
_HALF_OF_DAY = (
    r"(?:,? (?:in the (?P<late>morning|afternoon|evening)|at (?P<night>night)|(?P<m>[ap])\.? ?m\.?))?"
)
_PEOPLE = (
    "man|woman|girl|boy|child|lad|lass|youth|lady|gentleman|maiden|maid|fellow|person|creature|"
    "bachelor|widow|widower|spinster|matron|infant|baby|stripling|student|soldier|damsel"
)


def _date(found: re.Match[str]) -> str:
    groups = found.groupdict()
    year = groups.get("year") or "XXXX"
    if groups.get("season"):
        return f"{year}-{_SEASONS[found['season'].lower()]}"
    if not groups.get("month"):
        return year
    month = f"{year}-{_MONTHS.index(found['month'].lower()) + 1:02}"
    if not groups.get("day"):
        return month
    day = found["day"].lower()
    number = int(day) if day.isdigit() else _AND_TWENTIETH.get(day) or _ORDINALS.index(day) + 1
    return f"{month}-{number:02}" if 1 <= number <= 31 else ""


def _feast(found: re.Match[str]) -> str:
    name = found["feast"].lower().replace("’", "'").replace(".", "")
    return f"{found.groupdict().get('year') or 'XXXX'}-{_FEASTS[name]}"


def _last_day(found: re.Match[str]) -> str:
    month = _MONTHS.index(found["month"].lower())
    return f"{found.groupdict().get('year') or 'XXXX'}-{month + 1:02}-{_LAST_DAYS[month]}"


def _weekday(found: re.Match[str]) -> str:
    part = _PARTS.get((found["part"] or "").lower(), "")
    return f"XXXX-WXX-{_DAYS.index(found['weekday'].lower()) + 1}{part}"


def _clock(found: re.Match[str]) -> str:
    groups = found.groupdict()
    hour = number_of(groups.get("hour") or "")
    if hour is None or hour > 24:
        return ""
    minute = int(groups.get("minute") or 0)
    past = (groups.get("past") or "").lower()
    if past.startswith("half"):
        minute = 30
    elif "quarter" in past:
        minute = 15
        if past.endswith("to"):
            hour, minute = hour - 1, 45
    late = (groups.get("late") or "").lower() in ("afternoon", "evening") or groups.get("m") in ("p", "P")
    if hour < 12 and (late or (groups.get("night") and hour > 5)):
        hour += 12
    return f"T{hour % 24:02}:{minute:02}" if minute < 60 else ""


def _part(found: re.Match[str]) -> str:
    return _PARTS[found["part"].lower()]


def _noon(found: re.Match[str]) -> str:
    return "T00:00" if found.group().lower().endswith("midnight") else "T12:00"


def _amount(found: re.Match[str]) -> str:
    return duration_of(found["amount"])


def _untold(found: re.Match[str]) -> str:
    return duration_of(f"many {found['sort']}s")


def _yearly(found: re.Match[str]) -> str:
    return duration_of(f"{found['years']} years")


def _back(found: re.Match[str]) -> str:
    value = duration_of(found["amount"])
    return f"-{value}" if value else ""


def _step(found: re.Match[str]) -> str:
    return "P" + _STEPS.get(found["step"].lower(), "1D")


def _step_back(found: re.Match[str]) -> str:
    return "-P" + _STEPS.get(found["step"].lower(), "1D")


def _days(count: str) -> Value:
    return lambda _: count


def _age(found: re.Match[str]) -> str:
    count = number_of(found["age"])
    unit = (found.groupdict().get("unit") or "year")[0].upper()
    return f"P{count}{unit}" if count is not None and 1 <= count <= 130 else ""


_ANY = "(?P<amount>" + AMOUNT + ")"
_AGE = rf"(?P<age>{NUMBER})"
_STOP = (
    r"(?=\s*(?:[,.;:!?)—–\"”’]|--|$)|\s+(?:who|with|and|in|when|or|years|that|was|had|has|then|now|"
    r"at|but|if|before|for)\b)"
)
_COUNTED = r"(?!years\b|summers\b|winters\b|was\b|has\b)[a-z]+s\b"
_NOTHING_COUNTED = rf"(?![- ](?:thousand|hundred|million|score|dozen)\b| (?:feet|foot)\b| {_COUNTED})"
_GOING = r"(?:by|past|on|away|over|round|out|along)"
_PASSING = (
    r"(?:had |have |has |to have |must |were to |had to )?(?:now |thus |already |all |\w+ly "
    r")?(?:pass(?:ed)?|elapsed?|intervened|followed|c[ao]me and (?:went|gone)|(?:were|was|are|is) (?:out|"
    r"over|past)\b|lay between|ma[dk]e (?:a |no |little |some )?(?:great )?(?:difference|change)|brought|"
    rf"(?:went|gone|go|flew|flown|fled|slipped|slid|rolled|dragged|crept|glided|sped|wore|worn|drifted|run|"
    rf"ran|trickled|melted) {_GOING})\b"
)
_NUMBERLESS = (
    r"(?P<untold>(?<!hundred )(?<!of )(?:the |many |long |slow |quiet )*(?P<sort>day|week|month|year|winter|"
    r"summer|decade)s)"
)
_YEARLY = (
    rf"(?P<years>{NUMBER}|a dozen|half a dozen)(?: more)? "
    r"(?:harvests|springs|autumns|christmases|birthdays|easters|seasons)"
)
_PLURAL = (
    rf"(?P<amount>(?:{NUMBER}|a couple of|half a dozen|a dozen|a few|several|many|some)[- ](?:{UNITS})s)"
)

Rule = tuple[str, str, Value]
# kind, pattern, value; the first that matches at a place wins, so the longer come first
_CALENDAR: tuple[Rule, ...] = (
    ("date", rf"\b{_MONTH},? (?:the )?{_DAY}(?:,? (?:of )?{_YEAR})?\b(?! o.clock)", _date),
    ("date", rf"\b(?:the )?{_DAY} (?:day )?(?:of )?{_MONTH}(?:,? (?:of )?{_YEAR})?\b", _date),
    ("date", rf"\b(?:the )?last day (?:of|in) {_MONTH}(?:,? (?:of )?{_YEAR})?\b", _last_day),
    ("date", rf"\b(?:the )?{_DAY} day in {_MONTH}(?:,? (?:of )?{_YEAR})?\b", _date),
    ("date", rf"\b{_MONTH},? (?:of |of the year |in the year )?{_YEAR}\b", _date),
    ("date", rf"\b(?:the )?{_SEASON},? (?:of |of the year )?{_YEAR}\b", _date),
    ("date", rf"\b(?:{_ABOUT}|before|after|from|of|year|to|about|between|and) {_YEAR}\b", _date),
    ("date", rf"\b(?:{_ABOUT}|of|last|next|this|through) {_MONTH}\b(?!(?-i: [A-Z]))", _date),
    ("date", rf"\b{_IN} (?:the |early |late )?{_SEASON}\b(?! of (?!the year))", _date),
    (
        "date",
        rf"\b(?:on|last|next|till|until|since|by|from|this|that|before|after|following|of a|one|every) "
        rf"{_WEEKDAY}s?\b(?: (?P<part>morning|afternoon|evening|night))?(?!'s|’s|-)",
        _weekday,
    ),
    ("date", rf"\b{_WEEKDAY} (?P<part>morning|afternoon|evening|night)\b", _weekday),
    ("date", rf"\b{_WEEKDAY}(?P<part>)(?=,? (?:the )?{_DAY} (?:day )?(?:of )?{_OTHER_MONTH})", _weekday),
    ("date", rf"\b{_WEEKDAY}(?P<part>)(?=,? {_OTHER_MONTH},? (?:the )?{_DAY}\b)", _weekday),
    ("date", rf"(?<=, )(?:a )?{_WEEKDAY}(?P<part>)(?=,)", _weekday),
    (
        "date",
        rf"\b(?:was|be|is|fell on|been|being)(?: only| still| now| already)?(?: a)? {_WEEKDAY}(?P<part>)"
        r"(?=[.,;:!?]|\s+(?:in|when|and|again)\b|$)",
        _weekday,
    ),
)
_FEAST_DAYS: tuple[Rule, ...] = (("date", rf"\b(?P<feast>{_FEAST})(?:,? (?:of )?{_YEAR})?\b", _feast),)
_CLOCK: tuple[Rule, ...] = (
    (
        "date",
        rf"\b(?:at |by |till |until |about |before |after )?"
        rf"(?P<past>half[- ]past |(?:a )?quarter (?:past|to) )?{_HOUR} o.clock\b{_HALF_OF_DAY}",
        _clock,
    ),
    ("date", rf"\b(?P<past>half[- ]past|(?:a )?quarter (?:past|to)) {_HOUR}\b{_HALF_OF_DAY}", _clock),
    ("date", r"\b(?P<hour>[01]?\d)(?:[:.](?P<minute>\d\d))? ?(?P<m>[ap])\. ?m\.", _clock),
    ("date", r"\b(?:at|about|by|till|until|before|after|towards?) (?:noon|midday|mid-day|midnight)\b", _noon),
)
_AGES: tuple[Rule, ...] = (
    ("age", rf"\b{_AGE}(?:[- ](?P<unit>year|month|week)s?)[- ]old\b", _age),
    ("age", rf"\b{_AGE} (?P<unit>year|month|week|day)s? of age\b", _age),
    ("age", rf"\baged (?:about |some |only )?{_AGE}\b", _age),
    ("age", rf"\b(?:the |an )?age of (?:about |some |only )?{_AGE}\b", _age),
    (
        "age",
        rf"\b(?:{_PEOPLE}) of (?:perhaps |not more than )?{_NEAR}{_AGE}\b{_NOTHING_COUNTED}",
        _age,
    ),
    (
        "bare age",
        rf"\b(?:was|is|am|’m|'m|’s|'s|were|be|been|turned|being) "
        rf"(?:now |not yet |then |over |past )?{_NEAR}"
        rf"{_AGE}{_STOP}(?! years)",
        _age,
    ),
)
_AMOUNTS: tuple[Rule, ...] = (
    ("shift", r"\b(?:the )?day before yesterday\b", _days("-P2D")),
    ("shift", r"\b(?:the )?day after to-?morrow\b", _days("P2D")),
    ("shift", r"\byesterday(?: (?:morning|afternoon|evening|night))?\b", _days("-P1D")),
    ("shift", r"\bto-?morrow(?: (?:morning|afternoon|evening|night))?\b", _days("P1D")),
    ("shift", rf"\bit (?:was|would be|is|will be) {_NEAR}{_ANY} before(?= (?:{_WHO})\b)", _amount),
    ("shift", rf"\b(?:for|during|over|in|through) the (?:{_COMING}) {_PLURAL}", _amount),
    ("duration", rf"\bfor (?:the )?(?:(?:{_TURN}|space of|best part of) )?{_NEAR}{_ANY}", _amount),
    ("shift", rf"\b{_NEAR}{_ANY} {_LATER}\b", _amount),
    ("shift", rf"\b{_NEAR}{_ANY} (?:earlier|before|previously|previous|ago|back)\b", _back),
    (
        "shift",
        rf"\b(?:after|at the end of) (?:(?:the|an|a) (?:lapse|space|interval|absence|silence) of )?"
        rf"{_NEAR}{_ANY}(?!['’])",
        _amount,
    ),
    ("shift", rf"\b{_NUMBERLESS} {_LATER}\b", _untold),
    ("shift", rf"\b(?:in|within) {_NEAR}{_PLURAL}(?! of\b)(?!['’])", _amount),
    ("shift", rf"\b{_NEAR}{_ANY} (?:of [\w ]{{3,30}}? )?{_PASSING}", _amount),
    ("shift", rf"\b{_NEAR}{_PLURAL} (?:on(?=,)|(?:that|which) (?:followed|lay between))", _amount),
    ("shift", rf"\b(?:leap|skip|pass|jump|glide|slip)(?:ed|ped)? (?:\w+ )?over {_NEAR}{_ANY}", _amount),
    ("shift", rf"\b{_YEARLY} (?:[\w ]{{3,30}}? )?{_PASSING}", _yearly),
    ("shift", rf"\bafter {_YEARLY}\b", _yearly),
    ("shift", rf"\b{_NUMBERLESS} (?!were|was|are|is|ma|brought){_PASSING}", _untold),
    ("shift", rf"\b(?:the |on the )?(?:{_COMING}) {_STEP}\b", _step),
    ("shift", rf"\b(?:the )?{_STEP} (?:after|following)\b(?! (?:day|night|year|week|month))", _step),
    ("shift", rf"\b(?:the |on the )?(?:previous|preceding) {_STEP}\b", _step_back),
    ("shift", rf"\bthe {_STEP} before\b(?! last)", _step_back),
    ("shift", rf"\blast {_STEP}\b(?! (?:of|in) (?-i:[A-Z]))", _step_back),
    ("shift", rf"\b(?:the |that )(?:very )?same {_STEP}\b", _days("P0D")),
    ("duration", rf"\b(?:during|throughout) (?:the )?(?:(?:{_TURN}) )?{_NEAR}{_ANY}", _amount),
    ("duration", rf"\b(?:lasted|took|spent|waited|stayed|remained) (?:for )?{_NEAR}{_ANY}", _amount),
    ("duration", rf"\b(?:took|cost) (?:[\w.]+ ){{1,4}}?{_PLURAL}(?= to\b)", _amount),
    (
        "duration",
        rf"\b(?:was|were|been|am|is|are|passed|spent|served|lived|dwelt) {_NEAR}{_PLURAL}"
        rf"(?= (?:in|at|on|abroad|away|with|under|among|out|there|here)\b)",
        _amount,
    ),
    ("duration", rf"(?<=[“\"‘]){_NEAR}{_ANY}(?=[,.!?;—-])", _amount),
    ("duration", rf"\b{_PLURAL}['’]", _amount),
    ("duration", rf"\b(?:{_ALL}) (?:that |the )?(?P<step>day|week|month|year)\b", _step),
    ("date", rf"\b{_IN} (?:the )?(?P<part>morning|forenoon|afternoon|evening)\b", _part),
    ("date", r"\b(?:at|that|in the|during the|late at) (?P<part>night)\b(?!['’-])", _part),
    ("date", rf"\b(?:at|before|till|until|towards?) (?P<part>{_TURNINGS})\b", _part),
)  # fmt: skip
_NUMBERS = """two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred"""


def triggers() -> dict[str, tuple[tuple[Rule, ...], ...]]:
    """word (lower case; ``"#year"`` for four figures) → the rules that it may be part of, in groups"""
    table: dict[str, tuple[tuple[Rule, ...], ...]] = {}

    def add(words: Iterable[str], rules: tuple[Rule, ...]) -> None:
        for word in words:
            table[word] = (*table.get(word, ()), rules)

    add([*_MONTHS, *_DAYS, *(day + "s" for day in _DAYS), *_SEASONS], _CALENDAR)
    add("day eve candlemas lammas michaelmas martinmas twelfth hallowe".split(), _FEAST_DAYS)
    add("clock past quarter noon midday mid midnight m pm".split(), _CLOCK)
    add(["old", "aged", "age", *_NUMBERS.split()], _AGES)
    units = UNITS.split("|")
    steps = [*_STEPS, *_PARTS, "yesterday", "tomorrow", "morrow"]
    steps += "harvests springs autumns christmases birthdays easters seasons".split()
    add(dict.fromkeys([*units, *(unit + "s" for unit in units), *steps]), _AMOUNTS)
    table["#year"] = (_CALENDAR, _AGES)
    return table
