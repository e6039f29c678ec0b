-- Every profiled run that was to be kept. Times are UTC, "2026-01-31T12:00:00.123Z", so that they sort as text.

CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,            -- as --save= called it
  number INTEGER NOT NULL,       -- of this name, from 1: NAME@number
  at TEXT NOT NULL,
  git_commit TEXT NOT NULL,      -- of the checkout that the source lies in; '' outside of one
  changed INTEGER NOT NULL,      -- the checkout had changes that were not committed
  program TEXT NOT NULL,
  device TEXT NOT NULL,
  seconds REAL NOT NULL,         -- of all kernels, as they were modelled then
  records TEXT NOT NULL,         -- all that was counted (perf/counters/records.h): a baseline is modelled anew from it
  UNIQUE (name, number)
);

-- The kernels of a run, one row for each kernel and shape, most time first.
CREATE TABLE kernels (
  run INTEGER NOT NULL REFERENCES runs(id),
  place INTEGER NOT NULL,        -- from 0
  kernel TEXT NOT NULL,
  grid TEXT NOT NULL,            -- "64×64"
  block TEXT NOT NULL,
  launches INTEGER NOT NULL,
  seconds REAL NOT NULL,         -- of all launches; 0: such a block cannot run on the device
  limiter TEXT NOT NULL,         -- a key of perf/timing/resources.inc, latency, tail or launch
  metrics TEXT NOT NULL,         -- JSON: {Nsight Compute's name: sum over the launches}
  PRIMARY KEY (run, place)
) WITHOUT ROWID;
