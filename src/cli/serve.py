"""The commands that serve a library over HTTP or a project over MCP, and start the app."""

from __future__ import annotations

import ipaddress
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import UsageError
from .options import open_project, project_argument, read_chapter, set_option

if TYPE_CHECKING:
    import socket

    import uvicorn

    from ..api.settings import ServerSettings

_LAST_ANSWERS_S = 5
_host_names = click.option(
    "--host-name",
    "host_names",
    multiple=True,
    metavar="NAME",
    help="Another host name to answer to (repeatable).",
)


@click.command()
@click.argument("root", type=click.Path(path_type=Path))
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option(
    "--tokens", type=click.Path(path_type=Path), help="A TOML file of bearer tokens (their SHA-256)."
)
@_host_names
@click.option("--origin", "origins", multiple=True, help="Another web origin that may call.")
@click.option(
    "--heavy",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    help="Heavy requests at once.",
)
@click.option(
    "--job-seconds",
    type=click.FloatRange(min=1),
    default=21_600,
    show_default=True,
    help="How long one job may take.",
)
@click.option(
    "--job-memory-mb",
    type=click.IntRange(min=256),
    default=12_288,
    show_default=True,
    help="How much memory one job may use.",
)
@click.option(
    "--stream-seconds",
    type=click.FloatRange(min=1),
    default=900,
    show_default=True,
    help="Limit for a streamed answer or comparison.",
)
@click.option("--open-projects", type=click.IntRange(1, 1000), default=4, show_default=True)
@click.option("--log-queries", is_flag=True, help="With fabula -v: also log the questions themselves.")
@click.option("--insecure", is_flag=True, help="Answer at any address without tokens. Anyone may then write.")
def serve(root: Path, host: str, port: int, tokens: Path | None, insecure: bool, **chosen: Any) -> None:
    """Serve the projects under ROOT over HTTP. The API description is at /v1/openapi.json."""
    if not (_is_here(host) or tokens or insecure):
        raise click.UsageError(
            f"at {host} others can reach this server: give --tokens FILE, or --insecure if anyone "
            f"may read and write"
        )
    from ..api.jobs.limits import JobLimits
    from ..api.settings import Limits, ServerSettings

    job = JobLimits(chosen.pop("job_seconds"), chosen.pop("job_memory_mb"))
    limits = Limits(heavy=chosen.pop("heavy"), job=job, stream_s=chosen.pop("stream_seconds"))
    names = (host, *chosen.pop("host_names"))
    settings = ServerSettings(root, tokens=tokens, limits=limits, host_names=names, **chosen)
    server(settings, host=host, port=port).run()


def server(settings: ServerSettings, *, host: str, port: int) -> uvicorn.Server:
    """A server that is not started yet. Raises ConfigError for a token file that does not hold."""
    import uvicorn

    from ..api.app import create_app
    from ..api.bounded_protocol import bounded_protocol

    class Announced(uvicorn.Server):
        """Says where it answers, once it does."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            for one in self.servers:
                for listening in one.sockets:
                    name, number = listening.getsockname()[:2]
                    shown = f"[{name}]" if ":" in name else name
                    click.echo(f"fabula serves {settings.root} at http://{shown}:{number}/v1", err=True)

    config = uvicorn.Config(
        create_app(settings),
        host=host,
        port=port,
        access_log=False,  # ours says no more than it should
        server_header=False,
        proxy_headers=False,
        http=bounded_protocol(settings.limits),
        ws="none",
        h11_max_incomplete_event_size=settings.limits.head,
        timeout_graceful_shutdown=_LAST_ANSWERS_S,
        log_config=None,
    )
    return Announced(config)


def _is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@click.command()
@click.option(
    "--home",
    type=click.Path(file_okay=False, path_type=Path),
    envvar="FABULA_HOME",
    default="fabula-projects",
    show_default=True,
    help="The folder of your stories; if not given, $FABULA_HOME.",
)
@click.option("--address", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(1, 65535), default=8501, show_default=True)
@_host_names
@click.option("--headless", is_flag=True, help="Do not open a browser.")
def app(home: Path, address: str, port: int, host_names: tuple[str, ...], headless: bool) -> None:
    """Open your stories in the browser. Anyone who can reach the address may read and write them."""
    from ..ui.starting import start

    os.environ["FABULA_HOME"] = str(home.absolute())
    shown = f"[{address}]" if ":" in address else address
    click.echo(f"fabula: http://{shown}:{port} (Ctrl+C to stop)", err=True)
    start(address=address, port=port, headless=headless, host_names=host_names)


@click.command()
@project_argument
@click.option(
    "--read-to",
    "as_of",
    callback=read_chapter,
    metavar="N",
    help="The client learns nothing after chapter N.",
)
@click.option("--model", is_flag=True, help="The connected language model checks drafts too.")
@set_option
def mcp(project: Path, as_of: int | None, model: bool, assignments: tuple[str, ...]) -> None:
    """Serve PROJECT, read-only, to a language model's client (MCP)."""
    try:
        from ..integrations.mcp_server import serve as served
    except ModuleNotFoundError as error:
        raise UsageError(f"{error}: pip install 'fabula[mcp]'") from None
    with open_project(project, assignments) as opened:
        served(opened, read_to=as_of, model=model).run("stdio")
