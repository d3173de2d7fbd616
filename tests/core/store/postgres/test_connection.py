import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa
from tests.contracts.rating_contract import rating_of
from tests.contracts.store_contract import document_of, parts_of, publish
from tests.postgres_server import PASSWORD
from tests.tables import rows

from fabula.config import load_config
from fabula.core.store.conversations import KeptTurn
from fabula.core.store.postgres.store import PostgresStore
from fabula.core.store.postgres.target import Target
from fabula.core.types import Horizon
from fabula.errors import ConfigError, ProjectError, UsageError

pytestmark = pytest.mark.postgres


@pytest.fixture
def server(database, tmp_path):
    target = Target(database, "b", pool=2, statement_timeout_s=0.3)
    with PostgresStore(tmp_path, target) as store:
        yield store.database


@pytest.fixture
def store(database, tmp_path):
    with PostgresStore.create(tmp_path / "p", Target(database, "b", pool=2)) as made:
        yield made


def test_a_statement_that_takes_too_long_is_ended(server):
    with pytest.raises(ProjectError, match="it took too long"):
        server.read(lambda db: db.exec_driver_sql("SELECT pg_sleep(5)"))
    assert server.publish(lambda db: db.exec_driver_sql("SELECT pg_sleep(.5), 7").one()[1]) == 7


def test_what_clashed_is_run_again_until_it_is_done(server):
    server.write(lambda db: db.exec_driver_sql("CREATE TABLE counted AS SELECT 0 AS n"))
    tries = []

    def add(db):
        tries.append(1)
        n = db.exec_driver_sql("SELECT n FROM counted").scalar()
        db.execute(sa.text("UPDATE counted SET n = :n"), {"n": n + 1})

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda _: server.write(add), range(12)))
    assert server.read(lambda db: db.exec_driver_sql("SELECT n FROM counted").scalar()) == 12
    assert len(tries) > 12  # or the test shows nothing


def test_a_lost_connection_is_made_again(server, postgres_server):
    assert server.read(lambda db: db.exec_driver_sql("SELECT 1").scalar()) == 1
    kill = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'fabula'"
    postgres_server.execute(kill)
    assert server.read(lambda db: db.exec_driver_sql("SELECT 2").scalar()) == 2


@pytest.fixture
def lose_an_answer(postgres_server, monkeypatch):
    """The connection dies once when the row is committed and before the client hears of it."""
    commit, lost = sa.engine.default.DefaultDialect.do_commit, []

    def commit_and_die(self, connection):
        commit(self, connection)
        if not lost:
            lost.append(1)
            pid = connection.driver_connection.info.backend_pid
            postgres_server.execute("SELECT pg_terminate_backend(%(pid)s)", pid=pid)
            connection.cursor().execute("SELECT 1")

    yield lambda: monkeypatch.setattr(sa.engine.default.DefaultDialect, "do_commit", commit_and_die)
    assert lost


def test_a_turn_whose_answer_was_lost_is_kept_once(store, lose_an_answer):
    lose_an_answer()
    store.conversations().add("one", KeptTurn("Who?", "She.", 1, True))
    assert len(store.conversations().turns("one", horizon=Horizon())) == 1


def test_a_publish_whose_answer_was_lost_is_published(store, lose_an_answer):
    book = document_of()
    with store.lock():
        lose_an_answer()
        store.publish(parts_of(book))
    assert store.document() == book
    assert store.index().name == "000001"


def test_who_lost_the_lock_publishes_nothing(store, postgres_server, database, tmp_path):
    publish(store, document_of())
    kill = (
        "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' "
        "AND database = (SELECT oid FROM pg_database WHERE datname = %(name)s)"
    )
    with PostgresStore.open(tmp_path / "p", Target(database, "b", pool=2)) as other:
        with store.lock():
            postgres_server.execute(kill, name=database.rpartition("/")[2])
            with other.lock(patience=10):
                publish(other, document_of(["Other."]))
            with pytest.raises(ProjectError, match="published b meanwhile"):
                store.publish(parts_of(document_of(["Late."])))
        assert other.document() == document_of(["Other."])


def test_the_lock_of_a_book_is_no_other_books(store, database, tmp_path):
    with (
        PostgresStore.create(tmp_path / "q", Target(database, "c", pool=2)) as other,
        store.lock(),
        other.lock(),
    ):
        assert store.book() is other.book() is None


def test_a_text_that_it_cannot_hold_is_the_users_to_mend(store):
    with pytest.raises(UsageError, match="NUL"):
        store.conversations().add("one", KeptTurn("Who\0?", "She.", 1, True))


@pytest.mark.parametrize(("url", "way_out"), rows(__file__, "unreachable.tsv"))
def test_what_cannot_be_reached_says_the_way_out(
    postgres_server, database, tmp_path, url, way_out, monkeypatch
):
    monkeypatch.setenv("PGPASSWORD", "wr0ng-hoard")
    postgres_server.execute(_USER)
    address = url.format(port=postgres_server.port, name=database.rpartition("/")[2])
    with pytest.raises(ProjectError, match=way_out) as caught:
        PostgresStore.open(tmp_path, Target(address, "b"))
    assert "hoard" not in str(caught.value)
    assert "\n" not in str(caught.value)


_USER = (
    "DO $$ BEGIN CREATE ROLE guarded LOGIN SUPERUSER; EXCEPTION WHEN duplicate_object THEN NULL; END $$; "
    f"ALTER ROLE guarded PASSWORD '{PASSWORD}'"
)


def test_a_password_comes_from_the_environment_and_goes_nowhere(
    postgres_server, database, tmp_path, monkeypatch, caplog
):
    postgres_server.execute(_USER)
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    caplog.set_level("DEBUG")
    with PostgresStore.create(tmp_path / "p", Target(database.replace("app@", "guarded@"), "b")) as store:
        publish(store, document_of())
    assert PASSWORD not in caplog.text
    assert not [path for path in (tmp_path / "p").rglob("*") if PASSWORD.encode() in path.read_bytes()]


@pytest.mark.parametrize(("url",), rows(__file__, "with_passwords.tsv"))
def test_an_address_with_a_password_is_refused_and_not_repeated(url):
    with pytest.raises(ConfigError, match=r"store\.url") as caught:
        load_config(assignments=[f"store.url={url}"])
    for part in ("s3cret", "s3/c", "ret@"):
        assert part not in str(caught.value).replace("search_path%3Ds3cret", "")


def test_connections_are_shared_and_given_back(database, tmp_path, postgres_server):
    target = Target(database, "b", pool=1)
    count = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'fabula' AND datname = %(name)s"
    name = database.rpartition("/")[2]
    stores = [PostgresStore.create(tmp_path / "p", target) for _ in range(6)]
    assert postgres_server.execute(count, name=name) == [(1,)]
    for store in stores:
        store.close()
        store.close()
    until = time.monotonic() + 5
    while postgres_server.execute(count, name=name) != [(0,)] and time.monotonic() < until:
        time.sleep(0.05)
    assert postgres_server.execute(count, name=name) == [(0,)]
    with pytest.raises(ProjectError, match="was closed"):
        stores[0].meta("x")


def test_tables_of_another_version_are_left_alone(store, postgres_server, database, tmp_path):
    name = database.rpartition("/")[2]
    postgres_server.execute("UPDATE fabula.about SET value = '99'", database=name)
    for enter in (PostgresStore.open, PostgresStore.create):
        with pytest.raises(ProjectError, match="schema 99"):
            enter(tmp_path / "p", Target(database, "b", pool=2))


def test_two_who_make_the_tables_at_once(database, tmp_path):
    def make(i):
        PostgresStore.create(tmp_path / str(i), Target(database, f"b{i}", pool=1 + i)).close()

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(make, range(4))) == [None] * 4


def test_tables_of_the_version_before_are_brought_up_by_the_next_index(
    store, postgres_server, database, tmp_path
):
    """Its words and chunks were tables; some of its servers had no tables of the graph."""
    publish(store, document_of())
    store.feedback().add(rating_of("who?"))
    name = database.rpartition("/")[2]
    for statement in (
        "UPDATE fabula.about SET value = '1'",
        "CREATE TABLE fabula.chunks (book text)",
        "CREATE TABLE fabula.postings (book text)",
        "ALTER TABLE fabula.generations ADD COLUMN postings int",
        "DROP TABLE fabula.entities, fabula.relations",
        "DELETE FROM fabula.files WHERE name = 'chunks.npy'",
    ):
        postgres_server.execute(statement, name)
    target = Target(database, "b", pool=2)
    with pytest.raises(ProjectError, match="of an earlier version: index the book again"):
        PostgresStore.open(tmp_path / "p", target)
    with PostgresStore.create(tmp_path / "p", target) as opened:
        with pytest.raises(ProjectError, match="index the book again"):
            opened.index().chunks(document_of())
        publish(opened, document_of())
        assert [one.query for one in opened.feedback().recent(9, horizon=Horizon())] == ["who?"]
        opened.index().verify()
