-- Every judged file, with its source. Times are UTC, "2026-01-31T12:00:00.123Z", so that they sort as text.

CREATE TABLE sources (
  hash TEXT PRIMARY KEY,
  text TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE attempts (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,          -- the same in every copy: what is imported twice is there once
  at TEXT NOT NULL,
  problem TEXT NOT NULL,             -- "puzzles/map"
  verdict TEXT NOT NULL,             -- "out-of-bounds"
  samples_only INTEGER NOT NULL,     -- lab test: not all cases
  seed INTEGER NOT NULL,
  seconds REAL NOT NULL,
  file TEXT NOT NULL,                -- as it was called
  source TEXT NOT NULL REFERENCES sources(hash),
  judgement TEXT NOT NULL            -- all of it, as JSON
);
CREATE INDEX attempts_by_problem ON attempts(problem, id);

-- What was looked at: hints by number, solutions as number 0.
CREATE TABLE looks (
  problem TEXT NOT NULL,
  number INTEGER NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (problem, number)
) WITHOUT ROWID;
