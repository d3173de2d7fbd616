PRAGMA busy_timeout=10000;
PRAGMA journal_mode=WAL;
PRAGMA synchronous=FULL;
CREATE TABLE IF NOT EXISTS jobs (
    id TEXT PRIMARY KEY, number INTEGER NOT NULL, kind TEXT NOT NULL, project TEXT NOT NULL,
    work TEXT NOT NULL, status TEXT NOT NULL, created REAL NOT NULL, started REAL, finished REAL,
    outcome TEXT, cancelled INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS jobs_by_status ON jobs (status, number);
CREATE TABLE IF NOT EXISTS events (
    job TEXT NOT NULL, number INTEGER NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL,
    PRIMARY KEY (job, number)
);
CREATE TABLE IF NOT EXISTS job_keys (
    owner TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL, job TEXT NOT NULL,
    PRIMARY KEY (owner, key)
);
PRAGMA user_version=1;
