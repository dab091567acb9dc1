-- From version 2 back to version 1, to add rows: what `002_full_text.sql` makes is dropped, but
-- for the indexes by which an earlier edition of a source is found and replaced.
DROP TRIGGER docs_ai;
DROP TRIGGER docs_ad;
DROP TRIGGER docs_au;
DROP TABLE documents_fts;
DROP TABLE vocabulary;
PRAGMA user_version = 1;
