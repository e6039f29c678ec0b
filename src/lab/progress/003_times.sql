-- The modelled time of an accepted attempt's timed case, on which device. NULL: the problem has none, or it was not asked for.

ALTER TABLE attempts ADD COLUMN modelled_seconds REAL;
ALTER TABLE attempts ADD COLUMN device TEXT;
