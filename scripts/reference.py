"""Reference pages of the documentation, written from the program itself. ``--check`` only compares.

The commands come from click, the settings from their models, the HTTP interface from its OpenAPI description,
predicates, rules and errors from their tables and docstrings: none of these pages is edited by hand.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import click
from pydantic import BaseModel

import fabula.errors
from fabula.api.app import create_app
from fabula.api.settings import ServerSettings
from fabula.cli.commands import cli
from fabula.config import Config
from fabula.packs.items import schema as pack_schema
from fabula.story.continuity.critic import RULES
from fabula.story.model.predicates import PREDICATES

__all__ = ["PAGES", "main"]

FOLDER = Path(__file__).parents[1] / "docs" / "reference"
_NOTE = "<!-- Written by scripts/reference.py (make reference): do not edit by hand. -->"
_LARGE = 2**24  # a bound from here on only says "any number"


def commands() -> str:
    """Every command with its arguments and options, as ``--help`` words them."""
    parts = [
        "# Commands",
        "Answers go to standard output, progress and messages to standard error. Bad input is one line on "
        "standard error and exit code 2, and leaves every project as it was. Most commands take `--json`, "
        "and every command takes `--help`.",
        _table(["command", ""], _command_rows(cli, "fabula")),
    ]
    parts += [_command(command, path) for command, path in _walk(cli, "fabula")]
    return _page([*parts, *_errors()])


def settings() -> str:
    """Every setting with its default and the values that it takes."""
    parts = [
        "# Settings",
        "Settings are TOML. They come from your own file (`fabula/fabula.toml` under `$XDG_CONFIG_HOME`, by "
        "default `~/.config`), then from `fabula.toml` in the project's folder, then from `--config FILE`, "
        "then from `--set section.key=value`; what comes later wins. An unknown key is an error that names "
        "the nearest known one. What chunking, embedding and parsing were when a book was indexed stays "
        "with its index.",
        _prose(Config),
        _table(["setting", "default", "values", ""], _setting_rows(Config)),
    ]
    for name, field in Config.model_fields.items():
        section = field.annotation
        if isinstance(section, type) and issubclass(section, BaseModel):
            parts += [f"## [{name}]", _prose(section)]
            parts.append(_table(["setting", "default", "values"], _setting_rows(section)))
    return _page(parts)


def http() -> str:
    """Every operation of the server, with its parameters and the shapes that it takes and gives."""
    api = create_app(ServerSettings(root=Path("library"))).openapi()
    about = re.sub(r"\n {2,}", " ", api["info"]["description"])
    parts = [
        "# HTTP interface",
        "The running server describes itself at `/v1/openapi.json` (OpenAPI 3.1). This page is made of it.",
        about,
    ]
    for tag in api["tags"]:
        parts += [f"## {tag['description']}"]
        for path, operations in api["paths"].items():
            for method, operation in operations.items():
                if tag["name"] in operation.get("tags", ()):
                    parts += _operation(method, path, operation)
    parts += ["## Shapes", "What bodies of requests and answers hold. `?` marks what may be left out."]
    for name, schema in sorted(api["components"]["schemas"].items()):
        parts += [f"### {name}", _one_line(schema.get("description", ""))]
        if rows := _shape_rows(schema):
            parts.append(_table(["field", "type", ""], rows))
        elif "enum" in schema:
            parts.append(_type_of(schema))
    return _page(parts)


def _predicates() -> list[str]:
    """The closed table of what may stand on an edge of the story graph."""
    rows = [
        [
            f"`{row.name}`",
            row.phrase,
            {1: "+", 0: "", -1: "−"}[row.sign],
            "lasts" if row.lasting else "happens",
            ", ".join(
                word
                for word, holds in (
                    ("symmetric", row.symmetric),
                    ("turning", row.turning),
                    ("permanent", row.permanent),
                    ("endless", row.endless),
                )
                if holds
            ),
            f"`{row.inverse}`" if row.inverse else "",
            ", ".join(f"`{name}`" for name in sorted(row.opposites)),
        ]
        for row in PREDICATES.values()
    ]
    return [
        "## Predicates",
        f"What may stand on an edge of the story graph: {len(rows)} predicates and no others. The sign "
        "says how the subject stands to the object. A predicate that *lasts* is a bond and holds until "
        "something ends it; one that *happens* is an event. *Turning* events account for a later change "
        "between the same two, so that the change is a story and not a contradiction. *Permanent* ones "
        "cannot be undone; *endless* ones begin at some time and never end. Two *opposites* cannot hold "
        "between the same two at the same time.",
        _table(["predicate", "in words", "sign", "", "", "inverse", "opposites"], rows),
    ]


def rules() -> str:
    """Every rule of the critic: what it finds, what it assumes, what it cannot see, and its settings."""
    found = RULES
    parts = [
        "# Rules and predicates",
        f"`fabula check` runs {len(found)} rules over typed facts, relations and events. What they find is "
        "ranked by how sure it is (.75 and more is an error, less a warning), and all of it counts into the "
        "score. `--rule NAME` and `--without-rule NAME` choose.",
        _table(
            ["rule", "finds"],
            [[f"[`{rule.__name__}`](#{rule.__name__})", _summary(rule)] for rule in found],
        ),
    ]
    for rule in found:
        parts += [f"## {rule.__name__}", _prose(rule)]
    return _page([*parts, *_predicates()])


def _errors() -> list[str]:
    """The tree of errors, and the exit codes."""
    tree = inspect.getdoc(fabula.errors) or ""
    drawn = inspect.cleandoc(tree.split("::\n", 1)[1])
    rows = [
        [f"`{name}`", _one_line(inspect.getdoc(made) or "")]
        for name, made in sorted(vars(fabula.errors).items())
        if inspect.isclass(made)
    ]
    return [
        "## Errors and exit codes",
        "Everything that fabula raises on purpose is a `FabulaError` (`fabula.errors`). Its message says "
        "what was wrong, with the values, and what to do.",
        f"```text\n{drawn}\n```",
        _table(["error", ""], rows),
        "### Exit codes",
        _table(
            ["code", "when"],
            [
                ["0", "the command did what was asked"],
                ["1", "another error; with `check --fail-on`, a finding that is grave enough"],
                ["2", "bad input, a `UsageError`: one line on standard error, and no project changed"],
            ],
        ),
        "Over HTTP an error is a problem document (RFC 9457) with a stable `type`; see the "
        "[HTTP interface](http-api.md).",
    ]


PAGES: dict[str, Callable[[], str]] = {
    "cli.md": commands,
    "config.md": settings,
    "http-api.md": http,
    "rules.md": rules,
    "pack-schema.json": lambda: json.dumps(pack_schema(), indent=2) + "\n",
}


def main(arguments: Iterable[str]) -> str | None:
    """Writes the pages, or with ``--check`` says which of them differ from the program."""
    differing = []
    for name, make in PAGES.items():
        file, text = FOLDER / name, make()
        if not file.is_file() or file.read_text(encoding="utf-8") != text:
            differing.append(name)
            if "--check" not in arguments:
                file.write_text(text, encoding="utf-8")
    if differing and "--check" in arguments:
        return f"docs/reference differs from the program in {', '.join(differing)}: run make reference"
    return None


def _walk(command: click.Command, path: str) -> Iterator[tuple[click.Command, str]]:
    if not isinstance(command, click.Group):
        yield command, path
        return
    for name, below in sorted(command.commands.items()):
        yield from _walk(below, f"{path} {name}")


def _command_rows(group: click.Command, path: str) -> list[list[str]]:
    return [
        [f"[`{where}`](#{where.replace(' ', '-')})", _first_clause(command.help or "")]
        for command, where in _walk(group, path)
    ]


def _first_clause(text: str) -> str:
    return re.split(r"[.;?](?:\s|$)|: (?![^(]*\))", _one_line(text))[0]


def _command(command: click.Command, path: str) -> str:
    context = click.Context(command, info_name=path)
    usage = " ".join(command.collect_usage_pieces(context))
    options = [
        record
        for parameter in command.get_params(context)
        if "--help" not in parameter.opts and (record := parameter.get_help_record(context)) is not None
    ]
    paragraphs = [_one_line(part) for part in (command.help or "").split("\n\n")]
    parts = [f"## {path}", f"```text\n{path} {usage}\n```", *paragraphs]
    if options:
        parts.append(_table(["option", ""], [[f"`{name}`", _option(text)] for name, text in options]))
    return "\n\n".join(parts)


def _option(text: str) -> str:
    """An option's help, what click adds to it in round brackets."""
    text = _plain(text)
    added = re.search(r"(?:^|  )\[([^\[\]]*)\]$", text)  # click sets it off by two blanks
    if added is None:
        return text
    bounds = added[1].replace("<=", " ≤ ").replace(">=", " ≥ ")
    return f"{text[: added.start()].strip()} ({bounds})".strip()


def _setting_rows(section: type[BaseModel]) -> list[list[str]]:
    rows = []
    for name, field in section.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            continue
        default = "" if field.default is None else f"`{_shown(field.default)}`"
        rows.append([f"`{name}`", default, _values(field.annotation, field.metadata)])
    return [[*row, ""] for row in rows] if section is Config else rows


def _values(annotation: Any, metadata: Iterable[Any]) -> str:
    if get_origin(annotation) is Literal:
        return ", ".join(f"`{value}`" for value in get_args(annotation))
    if get_origin(annotation) is tuple:
        return "list of text"
    kinds = {bool: "`true`, `false`", int: "whole number", float: "number", str: "text"}
    members = [one for one in (get_args(annotation) or (annotation,)) if one is not type(None)]
    kind = kinds.get(members[0], "text")
    if members[0] not in (int, float):
        return kind
    low = next((f"from {one.ge:g}" for one in metadata if getattr(one, "ge", None) is not None), "")
    low = low or next((f"above {one.gt:g}" for one in metadata if getattr(one, "gt", None) is not None), "")
    high = next((f"to {one.le:,}" for one in metadata if (getattr(one, "le", None) or _LARGE) < _LARGE), "")
    return " ".join(word for word in (kind, low, high) if word)


def _operation(method: str, path: str, operation: dict[str, Any]) -> Iterator[str]:
    yield f"### {method.upper()} {path}"
    yield _one_line(operation.get("description") or operation.get("summary", ""))
    rows = [
        [
            f"`{one['name']}`{'' if one.get('required') else '?'}",
            one["in"],
            _type_of(one.get("schema", {})),
            _one_line(one.get("description", "")),
        ]
        for one in operation.get("parameters", ())
    ]
    if rows:
        yield _table(["parameter", "in", "type", ""], rows)
    for kind, media in operation.get("requestBody", {}).get("content", {}).items():
        yield f"Takes {_type_of(media.get('schema', {}))} as `{kind}`."
    answers = []
    for status, answer in sorted(operation["responses"].items()):
        shapes = [_type_of(media.get("schema", {})) for media in answer.get("content", {}).values()]
        answers.append([status, _one_line(answer.get("description", "")), ", ".join(filter(None, shapes))])
    yield _table(["status", "", "body"], answers)


def _shape_rows(schema: dict[str, Any]) -> list[list[str]]:
    required = schema.get("required", ())
    return [
        [
            f"`{name}`{'' if name in required else '?'}",
            _type_of(field),
            _one_line(field.get("description", "")),
        ]
        for name, field in schema.get("properties", {}).items()
    ]


def _type_of(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{name.lower()})"
    if several := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(_type_of(one) for one in several)
    if schema.get("type") == "array":
        items = schema.get("prefixItems") or [schema.get("items", {})]
        return f"list of {', '.join(_type_of(one) for one in items)}"
    if isinstance(values := schema.get("additionalProperties"), dict):
        return f"{_type_of(values)} by name"
    return _simple_type(schema)


def _simple_type(schema: dict[str, Any]) -> str:
    if values := schema.get("enum") or [schema[key] for key in ("const",) if key in schema]:
        return ", ".join(f"`{value}`" for value in values)
    bounds = [
        f"{word} {schema[key]}" for key, word in (("minimum", "from"), ("maximum", "to")) if key in schema
    ]
    return " ".join([str(schema.get("type", "anything")), *bounds])


def _summary(rule: object) -> str:
    return _one_line((inspect.getdoc(inspect.getmodule(rule)) or "").replace("\n", " "))


def _prose(documented: object) -> str:
    """A docstring's paragraphs as Markdown, its lists kept."""
    parts = []
    for paragraph in inspect.cleandoc(documented.__doc__ or "").split("\n\n"):
        items = re.split(r"\n(?=- )", paragraph)
        parts.append("\n".join(_one_line(item) for item in items))
    return "\n\n".join(parts)


def _one_line(text: str) -> str:
    return _plain(" ".join(text.split()))


def _plain(text: str) -> str:
    """reStructuredText's code and roles as Markdown's."""
    text = re.sub(r":\w+:`~?\.*([^`]+)`", r"`\1`", text)
    return text.replace("``", "`")


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, frozenset | tuple):
        return ", ".join(sorted(str(getattr(one, "value", one)) for one in value))
    return f'"{value}"' if isinstance(value, str) else str(value)


def _table(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _page(parts: Iterable[str]) -> str:
    title, *others = (part for part in parts if part)
    return "\n\n".join([title, _NOTE, *others]) + "\n"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
