-- Every measurement that was to be kept. Times are UTC, "2026-01-31T12:00:00.123Z", so that they sort as text.

CREATE TABLE measurements (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,            -- as --save= called it
  number INTEGER NOT NULL,       -- of this name, from 1: NAME@number
  at TEXT NOT NULL,
  git_commit TEXT NOT NULL,      -- of the checkout that the versions lie in; '' outside of one
  changed INTEGER NOT NULL,      -- the checkout had changes that were not committed
  ladder TEXT NOT NULL,
  device TEXT NOT NULL,          -- its name
  place TEXT NOT NULL,           -- gpu or modelled
  report TEXT NOT NULL,          -- what --json writes: a baseline is read from it
  UNIQUE (name, number)
);
