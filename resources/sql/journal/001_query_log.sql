-- Version 1 of the user's own database: one row a question (specification, section 10).

CREATE TABLE query_log (
    request_id TEXT PRIMARY KEY,
    timestamp TEXT NOT NULL,
    primary_class TEXT NOT NULL,
    secondary_class TEXT,
    rounds_used INTEGER NOT NULL,
    sub_queries_issued INTEGER NOT NULL,
    distinct_sources_cited INTEGER NOT NULL,
    silos_touched TEXT NOT NULL,
    clinical_assertions_total INTEGER NOT NULL,
    clinical_assertions_passed_gate INTEGER NOT NULL,
    clinical_assertions_failed_substring INTEGER NOT NULL,
    clinical_assertions_failed_entity INTEGER NOT NULL,
    clinical_assertions_failed_verifier INTEGER NOT NULL,
    clinical_assertions_failed_other INTEGER NOT NULL,
    abstained_sections TEXT NOT NULL,
    stage_latency_ms TEXT NOT NULL,
    latency_ms REAL NOT NULL,
    estimated_cost_usd REAL NOT NULL,
    gate_blocked INTEGER NOT NULL,
    status TEXT NOT NULL,
    question_text TEXT
);

CREATE INDEX query_log_by_time ON query_log (timestamp);
