-- A class: its join code, and who has joined it. Attempts and drafts are in a database for each student.

CREATE TABLE class (
  code TEXT NOT NULL
);

CREATE TABLE students (
  id INTEGER PRIMARY KEY,
  nickname TEXT NOT NULL,
  folded TEXT NOT NULL UNIQUE,   -- in lower case: no two look the same
  return_code TEXT NOT NULL,     -- to come back with from another machine
  at TEXT NOT NULL
);

-- The browsers that a student has joined with: the cookies' values.
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY,
  session TEXT NOT NULL UNIQUE,
  student INTEGER NOT NULL REFERENCES students(id)
);
