-- From version 4 back to version 3, to add rows: what `004_full_text.sql` makes is dropped, and the
-- indexes by which the names and codes of an earlier edition are found and replaced are made.
DROP TRIGGER docs_ai;
DROP TRIGGER docs_ad;
DROP TRIGGER docs_au;
DROP TABLE documents_fts;
DROP TABLE vocabulary;
DROP TABLE spellings;
DROP TABLE derived;
DROP INDEX source_names_by_singular;
CREATE INDEX source_names_by_source ON source_names (source);
PRAGMA user_version = 3;
