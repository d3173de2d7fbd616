"""HippoRAG 2 with its defaults. It takes passages as they are given: the text is cut between paragraphs. What
it imports and does not use here (vLLM) is stood in for by an empty module."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from experiments.peers.reading.given import AT_ONCE, Edge, Given, Said

PACKAGE = "hipporag"
MODE = "its only one"
JOINED = 4400


class System:
    def __init__(self, folder: Path, given: Given) -> None:
        unused: Any = ModuleType("vllm")
        unused.LLM = unused.SamplingParams = object
        sys.modules["vllm"] = unused
        from hipporag import HippoRAG

        class Reader:
            def infer(self, messages: Any, **how: Any) -> tuple[str, dict[str, Any], bool]:  # noqa: ARG002
                told = given.complete(messages)
                return told, {"prompt_tokens": 0, "completion_tokens": 0, "finish_reason": "stop"}, False

        class Embedding:
            def __init__(self, **how: Any) -> None: ...

            def batch_encode(self, texts: Any, **how: Any) -> Any:  # noqa: ARG002
                return given.embed([texts] if isinstance(texts, str) else texts)

        module: Any = sys.modules["hipporag.HippoRAG"]
        module._get_llm_class = lambda config: Reader()  # noqa: ARG005
        module._get_embedding_model_class = lambda embedding_model_name: Embedding  # noqa: ARG005
        reading: Any = sys.modules["hipporag.information_extraction.openie_openai"]
        reading.ThreadPoolExecutor = partial(ThreadPoolExecutor, AT_ONCE)
        self._rag = HippoRAG(save_dir=str(folder), llm_model_name="given", embedding_model_name="given")

    async def index(self, texts: Sequence[str]) -> None:
        await asyncio.to_thread(self._rag.index, _passages(texts))
        await asyncio.to_thread(self._rag.prepare_retrieval_objects)

    async def ask(self, question: str) -> Said:
        solutions, _, _ = await asyncio.to_thread(self._rag.rag_qa, [question])
        return {"text": solutions[0].answer, "cited": []}

    async def edges(self) -> list[Edge]:
        told, _ = self._rag.load_existing_openie([])
        triples = dict.fromkeys(tuple(map(str, one)) for row in told for one in row["extracted_triples"])
        return [{"a": [one[0]], "b": [one[2]], "says": " ".join(one)} for one in triples]


def _passages(texts: Sequence[str]) -> list[str]:
    found = [""]
    for text in texts:
        for paragraph in text.split("\n\n"):
            if len(found[-1]) + len(paragraph) > JOINED:
                found.append("")
            found[-1] += f"{paragraph}\n\n"
    return [one.strip() for one in found if one.strip()]
