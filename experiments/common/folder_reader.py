"""A reader who answers requests through files in a folder (``generator.provider = "folder"``)."""

from __future__ import annotations

import argparse
from pathlib import Path

from fabula.config import Generator
from fabula.llm.folder import FolderGenerator

__all__ = ["add_folder", "folder_reader"]


def add_folder(parser: argparse.ArgumentParser) -> None:
    """``--folder DIR --reader NAME [--collect] [--timeout SECONDS]``."""
    parser.add_argument("--folder", type=Path, metavar="DIR", help="where requests and answers lie")
    parser.add_argument("--reader", default="", metavar="NAME", help="of who answers")
    parser.add_argument("--collect", action="store_true", help="only write the requests")
    parser.add_argument(
        "--timeout", type=float, default=60.0, metavar="SECONDS", help="to wait for an answer"
    )


def folder_reader(
    options: argparse.Namespace, *, unanswered: str, concurrency: int = 1, context_tokens: int = 32_768
) -> FolderGenerator:
    """The reader that the options name. With ``--collect`` it writes the requests and waits for nobody: what
    has no answer yet is answered with ``unanswered``."""

    class Collecting(FolderGenerator):
        def _await(self, answer: Path, key: str, started: float) -> str:
            return super()._await(answer, key, started) if answer.is_file() else unanswered

    kind = Collecting if options.collect else FolderGenerator
    how = {"timeout_s": options.timeout, "context_tokens": context_tokens, "concurrency": concurrency}
    return kind(Generator(provider="folder", folder=str(options.folder), model=options.reader, **how))
