-- Version 1: every table but the full text. A file at version 1 is a build in progress.

-- The two tables of the specification (sections 5.1 and 8), names and columns as published.
-- `documents.id` is the URN of the passage. Never VACUUM a finished file: `documents` has no
-- INTEGER PRIMARY KEY, so VACUUM may renumber the rowids the full text points at; a build does
-- before there is one, and checks the numbers (`removal.forget_removed`).
CREATE TABLE IF NOT EXISTS documents (
    id TEXT PRIMARY KEY,
    origin_title TEXT,
    category_silo TEXT,
    source_identifier TEXT,
    regulatory_date TEXT,
    superseded INTEGER DEFAULT 0,
    page_number INTEGER,
    chunk_index INTEGER,
    text_content TEXT
);

CREATE TABLE IF NOT EXISTS clinical_formulas (
    id TEXT PRIMARY KEY, name_fr TEXT, category TEXT,
    formula_text TEXT, variables_json TEXT,
    interpretation_text TEXT, caveats_text TEXT,
    source_citation TEXT, verified_by TEXT, verified_date TEXT
);

-- One published source; `names` and `details` are JSON arrays, `build_id` the build that read it.
CREATE TABLE sources (
    key TEXT PRIMARY KEY,
    silo TEXT NOT NULL,
    title TEXT NOT NULL,
    source_identifier TEXT NOT NULL,
    publisher TEXT NOT NULL,
    licence TEXT NOT NULL,
    regulatory_date TEXT NOT NULL,
    url TEXT NOT NULL,
    file_name TEXT NOT NULL,
    file_sha256 TEXT NOT NULL,
    page_count INTEGER NOT NULL,
    status TEXT NOT NULL,
    superseded INTEGER NOT NULL,
    superseded_by TEXT NOT NULL,
    names TEXT NOT NULL,
    details TEXT NOT NULL,
    build_id TEXT NOT NULL
) WITHOUT ROWID;

CREATE INDEX sources_by_identifier ON sources (source_identifier);

-- What `documents` has no column for; `sha256` is of the UTF-8 bytes of `text_content`.
CREATE TABLE passages (
    document_id TEXT PRIMARY KEY,
    source_key TEXT NOT NULL,
    section TEXT NOT NULL,
    heading TEXT NOT NULL,
    page_label TEXT NOT NULL,
    char_start INTEGER NOT NULL,
    kind TEXT NOT NULL,
    sha256 BLOB NOT NULL CHECK (length(sha256) = 32)
) WITHOUT ROWID;

-- Names by which a question may call a source: folded words, and the same without plural marks.
CREATE TABLE source_names (
    name TEXT NOT NULL,
    source_key TEXT NOT NULL,
    kind TEXT NOT NULL,
    label TEXT NOT NULL,
    singular TEXT NOT NULL,
    PRIMARY KEY (name, source_key, kind)
) WITHOUT ROWID;

-- What each input file gave: one row a tally or a refusal.
CREATE TABLE ingest_report (
    part TEXT NOT NULL,
    entry TEXT NOT NULL CHECK (entry IN ('tally', 'refusal')),
    file_name TEXT NOT NULL,
    place TEXT NOT NULL,
    reason TEXT NOT NULL,
    unit TEXT NOT NULL,
    lines_read INTEGER NOT NULL,
    lines_kept INTEGER NOT NULL,
    lines_refused INTEGER NOT NULL,
    lines_ignored INTEGER NOT NULL,
    notes TEXT NOT NULL
);

CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
