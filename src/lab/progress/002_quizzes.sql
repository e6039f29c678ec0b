-- Answers to the questions between chapters: the last one counts.

CREATE TABLE answers (
  chapter TEXT NOT NULL,
  question INTEGER NOT NULL,
  correct INTEGER NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (chapter, question)
) WITHOUT ROWID;
