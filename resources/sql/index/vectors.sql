-- Optional, made by « library embed »: what passages mean, as numbers. No search needs it, so it
-- is no version of the schema. `sha256` is the passage's when it was embedded: a passage whose
-- text has changed since has no vector. `signs`: one bit a coordinate, first coordinate highest;
-- `vector`: one signed byte a coordinate.
CREATE TABLE IF NOT EXISTS passage_vectors (
    document_id TEXT PRIMARY KEY,
    sha256 BLOB NOT NULL,
    signs BLOB NOT NULL,
    vector BLOB NOT NULL
) WITHOUT ROWID;

-- One row: the embedder they were made with.
CREATE TABLE IF NOT EXISTS vector_source (embedder TEXT NOT NULL);
