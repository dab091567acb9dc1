-- From version 2 back to version 1, to add rows: what `002_full_text.sql` makes is dropped, but
-- for the index of `documents`, and the indexes by which an earlier edition of a source is found
-- and replaced are made.
DROP TRIGGER docs_ai;
DROP TRIGGER docs_ad;
DROP TRIGGER docs_au;
DROP TABLE documents_fts;
DROP TABLE vocabulary;
CREATE INDEX IF NOT EXISTS passages_by_source ON passages (source_key);
CREATE INDEX IF NOT EXISTS source_names_by_source ON source_names (source_key);
PRAGMA user_version = 1;
