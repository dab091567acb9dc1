CREATE VIRTUAL TABLE documents_fts USING fts5(
    origin_title,
    text_content,
    content='documents',
    content_rowid='rowid',
    tokenize='unicode61'
);
INSERT INTO documents_fts(documents_fts, rank) VALUES ('hashsize', 1073741824);
INSERT INTO documents_fts(documents_fts) VALUES ('rebuild');
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
CREATE VIRTUAL TABLE temp.terms USING fts5vocab('main', 'documents_fts', 'row');
INSERT INTO vocabulary SELECT term, doc FROM temp.terms;
DROP TABLE temp.terms;
