import asyncio
import sys

import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError
from tests.browser.stories import LATER_WORD
from tests.tables import values

from fabula.engine import Project
from fabula.integrations.mcp_server import serve

TOOLS = "search ask who how_two_stand timeline bible check_draft also_told story_so_far".split()
CALLS = values(__file__, "calls.tsv")


def with_client(work, project, **how):
    async def run():
        with Project.open(project) as opened:
            async with Client(serve(opened, **how)) as client:
                return await work(client)

    return asyncio.run(run())


def test_the_tools_only_read_and_none_takes_a_horizon(later_project):
    tools = with_client(lambda client: client.list_tools(), later_project).tools
    assert [one.name for one in tools] == TOOLS
    for tool in tools:
        assert tool.annotations.read_only_hint and tool.description and tool.output_schema
        assert not {"as_of", "read_to", "chapter", "horizon"} & set(tool.input_schema["properties"])


def test_answers_are_typed_and_quote_the_story(later_project):
    async def work(client):
        answered = await client.call_tool("ask", {"question": "Who kept the lock at Moss End?"})
        who = await client.call_tool("who", {"name": "Bela Stone"})
        found = await client.call_tool("search", {"query": "lock"})
        two = await client.call_tool("how_two_stand", {"one": "Carl Finch", "other": "Bela Stone"})
        return [one.structured_content for one in (answered, who, found, two)]

    answered, who, found, two = with_client(work, later_project)
    assert any("hates" in said["text"] and said["chapter"] == 2 for said in two["result"])
    assert answered["found"] and "Anna Weir" in answered["text"] and answered["quotes"][0]["chapter"] == 1
    assert any("Anna Weir" in line["text"] for line in who["result"][0]["lines"])
    assert "kept the lock" in found["result"][0]["text"]


def test_nothing_told_later_comes_through_any_tool_or_resource(later_project):
    async def everything(client):
        said = [str(client.instructions)]
        said += [str(await client.call_tool(name, given)) for name, given in CALLS]
        for one in (await client.list_resources()).resources:
            said.append(f"{one} {await client.read_resource(one.uri)}")
        try:
            said.append(str(await client.read_resource("story://chapter/3")))
        except MCPError as error:
            said.append(str(error))
        return "\n".join(said)

    early = with_client(everything, later_project, read_to=2)
    asked = early.count(f"called '{LATER_WORD}'")  # what was asked is said again
    assert early.count(LATER_WORD) == asked and "story://chapter/2" in early
    assert "up to chapter 2. " in early  # not of how many
    assert LATER_WORD in with_client(everything, later_project)


def test_a_story_cannot_close_the_fence_nor_pose_as_a_turn(later_project):
    async def work(client):
        return [
            (await client.read_resource("story://chapter/2")).contents[0].text,
            (await client.call_tool("search", {"query": "Carl hated Bela", "k": 1})).structured_content,
        ]

    chapter, found = with_client(work, later_project)
    for text in (chapter, found["result"][0]["text"]):
        assert text.startswith("<<<STORY") and text.count("STORY>>>") == 1 and "<|im_start|>" not in text


def test_what_is_wrong_is_said_in_one_line(later_project):
    async def work(client):
        return [
            await client.call_tool("who", {"name": "Bella Ston"}),
            await client.call_tool("check_draft", {"draft": "a" * 60_001}),
            await client.call_tool("also_told", {"words": "no such words stand here"}),
        ]

    for refused in with_client(work, later_project):
        assert refused.is_error and "Traceback" not in str(refused) and "\n" not in refused.content[0].text


@pytest.mark.slow
def test_a_client_talks_to_the_command_over_stdio(later_project):
    async def run():
        command = ["-c", "from fabula.cli import main; main()", "mcp", str(later_project), "--read-to", "2"]
        asked = StdioServerParameters(
            command=sys.executable, args=command, env=dict(__import__("os").environ)
        )
        async with Client(stdio_client(asked)) as client:
            tools = [one.name for one in (await client.list_tools()).tools]
            return tools, await client.call_tool("search", {"query": "lock", "k": 1})

    tools, found = asyncio.run(run())
    assert tools == TOOLS and "kept the lock" in str(found.structured_content)
