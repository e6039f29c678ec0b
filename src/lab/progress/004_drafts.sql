-- What was typed into the page's editor and not submitted yet: one draft for each problem. The revision tells a page that
-- another one has changed it.

CREATE TABLE drafts (
  problem TEXT PRIMARY KEY,
  revision INTEGER NOT NULL,
  at TEXT NOT NULL,
  text TEXT NOT NULL
) WITHOUT ROWID;
