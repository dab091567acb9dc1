CREATE TABLE documents (
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
CREATE TABLE clinical_formulas (
    id TEXT PRIMARY KEY, name_fr TEXT, category TEXT,
    formula_text TEXT, variables_json TEXT,
    interpretation_text TEXT, caveats_text TEXT,
    source_citation TEXT, verified_by TEXT, verified_date TEXT
);
CREATE TABLE sources (
    key TEXT PRIMARY KEY, silo TEXT NOT NULL, title TEXT NOT NULL,
    source_identifier TEXT NOT NULL, publisher TEXT NOT NULL, licence TEXT NOT NULL,
    regulatory_date TEXT NOT NULL, url TEXT NOT NULL, file_name TEXT NOT NULL,
    file_sha256 TEXT NOT NULL, page_count INTEGER NOT NULL, status TEXT NOT NULL,
    superseded INTEGER NOT NULL, superseded_by TEXT NOT NULL, details TEXT NOT NULL
);
CREATE TABLE passages (
    document_id TEXT PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE,
    source_key TEXT NOT NULL REFERENCES sources(key),
    section TEXT NOT NULL, heading TEXT NOT NULL, page_label TEXT NOT NULL,
    char_start INTEGER NOT NULL, kind TEXT NOT NULL, sha256 BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE source_names (
    name TEXT NOT NULL, source_identifier TEXT NOT NULL, kind TEXT NOT NULL, label TEXT NOT NULL,
    PRIMARY KEY (name, source_identifier)
) WITHOUT ROWID;
CREATE TABLE ingest_report (
    file_name TEXT NOT NULL, place TEXT NOT NULL, reason TEXT NOT NULL, lines INTEGER NOT NULL
);
CREATE TABLE ingest_tally (
    file_name TEXT NOT NULL, unit TEXT NOT NULL, read INTEGER NOT NULL, kept INTEGER NOT NULL,
    refused INTEGER NOT NULL, ignored INTEGER NOT NULL, notes TEXT NOT NULL
);
CREATE TABLE vocabulary (term TEXT PRIMARY KEY, documents INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX documents_source ON documents(source_identifier);
