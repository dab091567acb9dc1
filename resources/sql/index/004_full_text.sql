-- Version 4: the full text and the tables of what is derived from it. Run once, after all rows
-- are in: one rebuild is forty times faster than the triggers row by row.

-- A name without plural marks is found by the primary key: only the others need an index.
CREATE INDEX source_names_by_singular ON source_names (singular) WHERE singular IS NOT NULL;
-- Codes of a source; the primary key finds the sources of a code.
CREATE INDEX IF NOT EXISTS source_codes_by_source ON source_codes (source, kind);
-- Made by `reopen.sql` to replace editions; no search uses it.
DROP INDEX IF EXISTS source_names_by_source;

CREATE VIRTUAL TABLE documents_fts USING fts5(
    origin_title,
    text_content,
    content='documents',
    content_rowid='rowid',
    tokenize='unicode61'
);

-- A hash this large keeps all of the index in memory until the end: one segment, no merging.
INSERT INTO documents_fts(documents_fts, rank) VALUES ('hashsize', 1073741824);
INSERT INTO documents_fts(documents_fts) VALUES ('rebuild');
INSERT INTO documents_fts(documents_fts) VALUES ('optimize');
-- Back to the default of FTS5, which later changes through the triggers are tuned for.
INSERT INTO documents_fts(documents_fts, rank) VALUES ('hashsize', 1048576);

CREATE TRIGGER docs_ai AFTER INSERT ON documents BEGIN
    INSERT INTO documents_fts(rowid, origin_title, text_content)
    VALUES (new.rowid, new.origin_title, new.text_content);
END;

CREATE TRIGGER docs_ad AFTER DELETE ON documents BEGIN
    INSERT INTO documents_fts(documents_fts, rowid, origin_title, text_content)
    VALUES('delete', old.rowid, old.origin_title, old.text_content);
END;

CREATE TRIGGER docs_au AFTER UPDATE ON documents BEGIN
    INSERT INTO documents_fts(documents_fts, rowid, origin_title, text_content)
    VALUES('delete', old.rowid, old.origin_title, old.text_content);
    INSERT INTO documents_fts(rowid, origin_title, text_content)
    VALUES(new.rowid, new.origin_title, new.text_content);
END;

-- Every token of the full text with its class (`word_class`: accents, ligatures, sub- and
-- superscripts, Greek letters and French plurals folded), so that a query finds its variants; of
-- the codes, which are their own class, only the common ones.
CREATE TABLE vocabulary (
    class TEXT NOT NULL,
    token TEXT NOT NULL,
    documents INTEGER NOT NULL,
    PRIMARY KEY (class, token)
) WITHOUT ROWID;

-- All tokens, folded, by length and first character, a space between. A misspelt word and a piece
-- of a word are looked for in these.
CREATE TABLE spellings (
    length INTEGER NOT NULL,
    initial TEXT NOT NULL,
    words TEXT NOT NULL,
    PRIMARY KEY (length, initial)
) WITHOUT ROWID;

-- What is read whole, packed (`postings.pack`). `runs`: the rowids of `documents`, as pairs of a
-- first one and how many follow it without a gap; then one value a row in their order: `titles`
-- and `texts`, how many tokens they hold; `pages`, the checksums of the pages of the full text.
CREATE TABLE derived (
    name TEXT PRIMARY KEY,
    data BLOB NOT NULL
) WITHOUT ROWID;
