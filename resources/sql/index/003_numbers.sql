-- Version 3: the same rows in half the space. What many sources or passages share is kept once,
-- numbers stand for keys and URNs, and nothing is kept that another column tells. A file at
-- version 3 is a build in progress. Of a finished file of version 2 the full text is dropped here
-- and made again by version 4.

DROP TRIGGER docs_ai;
DROP TRIGGER docs_ad;
DROP TRIGGER docs_au;
DROP TABLE documents_fts;
DROP TABLE vocabulary;
DROP INDEX documents_by_identifier;
DROP INDEX source_names_by_singular;
DROP INDEX source_codes;
DROP INDEX sources_by_identifier;
ALTER TABLE sources RENAME TO old_sources;
ALTER TABLE passages RENAME TO old_passages;
ALTER TABLE source_names RENAME TO old_names;

-- What the sources read from one file share; `build_id` is the build that read it.
CREATE TABLE editions (
    number INTEGER PRIMARY KEY,
    publisher TEXT NOT NULL,
    licence TEXT NOT NULL,
    regulatory_date TEXT NOT NULL,
    file_name TEXT NOT NULL,
    file_sha256 TEXT NOT NULL,
    page_count INTEGER NOT NULL,
    status TEXT NOT NULL,
    build_id TEXT NOT NULL
);

-- One published source. `names` is a JSON array, `details` the label of one, `url` a label in which
-- U+001F stands for the identifier. Its passages are the rows of `documents` from `first_row` to
-- `last_row`, and in the band of superseded rows the same.
CREATE TABLE sources (
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    silo TEXT NOT NULL,
    title TEXT NOT NULL,
    source_identifier TEXT NOT NULL,
    url INTEGER NOT NULL,
    edition INTEGER NOT NULL,
    superseded INTEGER NOT NULL,
    superseded_by TEXT NOT NULL,
    names TEXT NOT NULL,
    details INTEGER NOT NULL,
    first_row INTEGER NOT NULL,
    last_row INTEGER NOT NULL
);

CREATE INDEX sources_by_identifier ON sources (source_identifier);

-- Texts that come back: sections, headings and kinds of passages, details and URLs of sources.
CREATE TABLE labels (
    number INTEGER PRIMARY KEY,
    label TEXT NOT NULL
);

-- What `documents` has no column for, under the same rowid. `section`, `heading` and `kind` are
-- labels; `sha256` is of the UTF-8 bytes of `text_content`.
CREATE TABLE passages (
    row INTEGER PRIMARY KEY,
    source INTEGER NOT NULL,
    section INTEGER NOT NULL,
    heading INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    page_label TEXT NOT NULL,
    char_start INTEGER NOT NULL,
    sha256 BLOB NOT NULL CHECK (length(sha256) = 32)
);

-- Names by which a question may call a source: folded words. `kind` is the place in
-- `names.KINDS`; `singular`: of a class or a title, the same without plural marks where that
-- differs. `label` says where the name is written: its place in the names of the source, -1 for
-- the title, -2 for the identifier.
CREATE TABLE source_names (
    name TEXT NOT NULL,
    source INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    label INTEGER NOT NULL,
    singular TEXT,
    PRIMARY KEY (name, source, kind)
) WITHOUT ROWID;

-- Codes that a source carries (CIP, ATC…), folded; `kind` is the place in `names.CODES`.
CREATE TABLE source_codes (
    code TEXT NOT NULL,
    kind INTEGER NOT NULL,
    source INTEGER NOT NULL,
    PRIMARY KEY (code, kind, source)
) WITHOUT ROWID;

INSERT INTO editions (publisher, licence, regulatory_date, file_name, file_sha256, page_count,
        status, build_id)
    SELECT DISTINCT publisher, licence, regulatory_date, file_name, file_sha256, page_count,
        status, build_id
    FROM old_sources;
CREATE TEMP TABLE extent AS
    SELECT source_key AS key, min(rowid & 0xFFFFFFFFFF) AS first, max(rowid & 0xFFFFFFFFFF) AS last
    FROM old_passages JOIN documents ON documents.id = old_passages.document_id
    GROUP BY source_key;
CREATE UNIQUE INDEX temp.extent_of ON extent (key);
UPDATE old_sources SET url = replace(url, source_identifier, char(31))
    WHERE source_identifier <> '';
INSERT INTO labels (label)
    SELECT section FROM old_passages UNION SELECT heading FROM old_passages
    UNION SELECT kind FROM old_passages UNION SELECT details FROM old_sources
    UNION SELECT url FROM old_sources ORDER BY 1;
CREATE TEMP TABLE numbered AS SELECT label, number FROM labels;
CREATE UNIQUE INDEX temp.number_of ON numbered (label);
INSERT INTO sources (key, silo, title, source_identifier, url, edition, superseded, superseded_by,
        names, details, first_row, last_row)
    SELECT s.key, silo, title, source_identifier,
        (SELECT number FROM numbered WHERE label = s.url), e.number, superseded, superseded_by,
        names, (SELECT number FROM numbered WHERE label = s.details),
        ifnull(first, 0), ifnull(last, -1)
    FROM old_sources AS s
    JOIN editions AS e USING (publisher, licence, regulatory_date, file_name, file_sha256,
        page_count, status, build_id)
    LEFT JOIN extent ON extent.key = s.key
    ORDER BY first, s.key;
INSERT INTO passages
    SELECT d.rowid, s.number, (SELECT number FROM numbered WHERE label = p.section),
        (SELECT number FROM numbered WHERE label = p.heading),
        (SELECT number FROM numbered WHERE label = p.kind), page_label, char_start, sha256
    FROM documents AS d JOIN old_passages AS p ON p.document_id = d.id
    JOIN sources AS s ON s.key = p.source_key
    ORDER BY d.rowid;
CREATE TEMP TABLE kinds AS
    SELECT value AS kind, key AS place FROM json_each('["substance", "drug", "class", "title"]')
    UNION ALL SELECT 'code:' || value, key FROM json_each('["cis", "cip", "atc", "cim10", "item",
        "substance", "entrée", "membre", "paire", "côté", "tête"]');
INSERT INTO source_names
    SELECT name, number, place,
        ifnull((SELECT key FROM json_each(s.names) WHERE value = n.label),
            iif(n.label = title, -1, -2)),
        iif(kind IN ('class', 'title'), nullif(singular, name), NULL)
    FROM old_names AS n JOIN sources AS s ON s.key = n.source_key JOIN kinds USING (kind)
    WHERE kind NOT GLOB 'code:*';
INSERT INTO source_codes
    SELECT name, place, number
    FROM old_names JOIN sources AS s ON s.key = source_key JOIN kinds USING (kind)
    WHERE kind GLOB 'code:*';
DROP TABLE temp.extent;
DROP TABLE temp.numbered;
DROP TABLE temp.kinds;
DROP TABLE old_sources;
DROP TABLE old_passages;
DROP TABLE old_names;
