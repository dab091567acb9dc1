-- Version 2: the full text and what is derived from the rows. Run once, after all rows are in:
-- one rebuild is forty times faster than the triggers row by row.

CREATE INDEX IF NOT EXISTS documents_by_identifier ON documents (source_identifier);
-- A name without plural marks is found by the primary key: only the others need an index.
CREATE INDEX IF NOT EXISTS source_names_by_singular ON source_names (singular)
    WHERE singular <> name;
-- Codes of a source; the primary key finds the sources of a code.
CREATE INDEX IF NOT EXISTS source_codes ON source_names (source_key) WHERE kind GLOB 'code:*';
-- Made by `reopen.sql` to replace editions; no search uses them.
DROP INDEX IF EXISTS passages_by_source;
DROP INDEX IF EXISTS source_names_by_source;

CREATE VIRTUAL TABLE IF NOT EXISTS documents_fts USING fts5(
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

CREATE TRIGGER IF NOT EXISTS docs_ai AFTER INSERT ON documents BEGIN
    INSERT INTO documents_fts(rowid, origin_title, text_content)
    VALUES (new.rowid, new.origin_title, new.text_content);
END;

CREATE TRIGGER IF NOT EXISTS docs_ad AFTER DELETE ON documents BEGIN
    INSERT INTO documents_fts(documents_fts, rowid, origin_title, text_content)
    VALUES('delete', old.rowid, old.origin_title, old.text_content);
END;

CREATE TRIGGER IF NOT EXISTS docs_au AFTER UPDATE ON documents BEGIN
    INSERT INTO documents_fts(documents_fts, rowid, origin_title, text_content)
    VALUES('delete', old.rowid, old.origin_title, old.text_content);
    INSERT INTO documents_fts(rowid, origin_title, text_content)
    VALUES(new.rowid, new.origin_title, new.text_content);
END;

-- Every token of the full text with its class (`word_class`: accents, ligatures, sub- and
-- superscripts, Greek letters and French plurals folded), so that a query finds its variants.
-- The class leads the key: a token is looked up by both, as its class is known from it.
CREATE TABLE vocabulary (
    token TEXT NOT NULL,
    documents INTEGER NOT NULL,
    fold TEXT NOT NULL,
    class TEXT NOT NULL,
    PRIMARY KEY (class, token)
) WITHOUT ROWID;

CREATE VIRTUAL TABLE temp.tokens USING fts5vocab('main', 'documents_fts', 'row');
-- unicode61 has lowered the tokens: one in plain ASCII is its own fold, and the stem of one
-- that ends in a digit is itself. More than half are codes: Python is not called for these.
INSERT INTO vocabulary
    SELECT term, doc,
        iif(term GLOB '*[^ -~]*', word_fold(term), term),
        iif(term GLOB '*[^ -~]*', word_stem(word_fold(term)),
            iif(term GLOB '*[0-9]', term, word_stem(term)))
    FROM temp.tokens;
DROP TABLE temp.tokens;
