-- A store as version 0.1.0 left it: the first five steps of the schema, and a row or two of each kind. Its data key is the
-- bytes 00 01 … 1f, its nonces count from 1. Frozen: every later version has to open it.
PRAGMA user_version = 5;
CREATE TABLE account (
    uid TEXT PRIMARY KEY, profile TEXT NOT NULL, email TEXT, email_verified INTEGER NOT NULL,
    display_name TEXT, photo_url TEXT, created_at INTEGER NOT NULL, last_sign_in_at INTEGER NOT NULL, is_machine INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO "account" VALUES('ada','default','ada@example.com',1,'Ada',NULL,1795248000,1795251600,0);
INSERT INTO "account" VALUES('job','default',NULL,0,NULL,NULL,1795248000,1795248000,1);
INSERT INTO "account" VALUES('pat','project','pat@example.com',1,NULL,NULL,1795248000,1795248000,0);
CREATE TABLE begun_sign_in (
    id TEXT PRIMARY KEY, profile TEXT NOT NULL, provider_id TEXT NOT NULL, expires_at INTEGER NOT NULL,
    request BLOB NOT NULL) STRICT;
CREATE TABLE current_account (
    profile TEXT PRIMARY KEY, account_uid TEXT NOT NULL REFERENCES account ON DELETE CASCADE) STRICT;
INSERT INTO "current_account" VALUES('default','ada');
INSERT INTO "current_account" VALUES('project','pat');
CREATE TABLE document (
    key TEXT PRIMARY KEY, body BLOB NOT NULL, fetched_at INTEGER NOT NULL, fresh_until INTEGER NOT NULL,
    forced_at INTEGER, zone INTEGER) STRICT;
INSERT INTO "document" VALUES('https://accounts.google.com/.well-known/openid-configuration',X'7B7D',1795251600,1795255200,NULL,2);
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO "grdb_migrations" VALUES('1 accounts, sessions, secrets, documents');
INSERT INTO "grdb_migrations" VALUES('2 what Apple and Microsoft say of an identity');
INSERT INTO "grdb_migrations" VALUES('3 pending credentials, consent, passwords');
INSERT INTO "grdb_migrations" VALUES('4 machines, sign-ins in two steps');
INSERT INTO "grdb_migrations" VALUES('5 credentials that wait for an account known by its address alone');
CREATE TABLE identity (
    profile TEXT NOT NULL, provider_id TEXT NOT NULL, authority TEXT NOT NULL, federated_id TEXT NOT NULL,
    account_uid TEXT NOT NULL REFERENCES account ON DELETE CASCADE, email TEXT,
    email_verified INTEGER NOT NULL, display_name TEXT, photo_url TEXT, linked_at INTEGER NOT NULL, is_private_relay INTEGER NOT NULL DEFAULT 0, tenant_id TEXT, consented_at INTEGER,
    PRIMARY KEY (profile, provider_id, authority, federated_id), UNIQUE (account_uid, provider_id)) STRICT;
INSERT INTO "identity" VALUES('default','google.com','https://accounts.google.com','108','ada','ada@example.com',1,'Ada',NULL,1795248000,0,NULL,NULL);
INSERT INTO "identity" VALUES('default','password','','ada@example.com','ada','ada@example.com',0,NULL,NULL,1795248100,0,NULL,NULL);
INSERT INTO "identity" VALUES('default','ci.github','https://token.actions.githubusercontent.com','repo:a/b','job',NULL,0,NULL,NULL,1795248000,0,NULL,NULL);
INSERT INTO "identity" VALUES('project','google.com','https://accounts.google.com','109','pat','pat@example.com',1,NULL,NULL,1795248000,0,NULL,NULL);
CREATE TABLE password (
    account_uid TEXT PRIMARY KEY REFERENCES account ON DELETE CASCADE, hash BLOB NOT NULL,
    changed_at INTEGER NOT NULL) STRICT;
CREATE TABLE password_failure (
    profile TEXT NOT NULL, email TEXT NOT NULL, count INTEGER NOT NULL, last_at INTEGER NOT NULL,
    PRIMARY KEY (profile, email)) STRICT;
CREATE TABLE "pending_credential" (
    id TEXT PRIMARY KEY, profile TEXT NOT NULL, provider_id TEXT NOT NULL, email TEXT, reason TEXT NOT NULL,
    account_uid TEXT REFERENCES account ON DELETE CASCADE, expires_at INTEGER NOT NULL,
    credential BLOB NOT NULL) STRICT;
INSERT INTO "pending_credential" VALUES('wait','default','github.com','ada@example.com','account-exists-with-different-credential','ada',1795255200,X'00');
CREATE TABLE provider_secret (
    profile TEXT NOT NULL, provider_id TEXT NOT NULL, secret BLOB NOT NULL,
    PRIMARY KEY (profile, provider_id)) STRICT;
INSERT INTO "provider_secret" VALUES('default','oidc.work',X'00000000000000000000000B853C3CD1F63D809545443406C25BDB1CDDFB93A5EB8393C825C768498B49E8');
CREATE TABLE session (
    account_uid TEXT NOT NULL REFERENCES account ON DELETE CASCADE, provider_id TEXT NOT NULL,
    issuer TEXT NOT NULL, client_id TEXT NOT NULL, token_origin TEXT NOT NULL, subject TEXT NOT NULL, access_token BLOB,
    expires_at INTEGER, refresh_token BLOB, id_token BLOB, id_token_expires_at INTEGER, nonce BLOB,
    authenticated_at INTEGER, scopes TEXT NOT NULL, last_proven_at INTEGER NOT NULL, source TEXT NOT NULL, renewal TEXT,
    PRIMARY KEY (account_uid, provider_id)) STRICT;
INSERT INTO "session" VALUES('ada','google.com','https://accounts.google.com','client','https://accounts.google.com','ada-sub',X'000000000000000000000002A8154F50D528B9B4CA7E2A2E91B6755AEBD1FEB4853C173DB3EA',1795255200,X'0000000000000000000000036C406F9E2413D7A8D6E1FF3619D01BFD261DF455466D98FDC49801',X'0000000000000000000000047A2CAC2CE095EE26892EF466A0864265F6F4BA79795D',1795255200,X'000000000000000000000005F98CAC0DADDDF0E2BD719E0234E9B3B8F57B8F3EF50550',1795251600,'openid email',1795251600,'browser',NULL);
INSERT INTO "session" VALUES('pat','google.com','https://accounts.google.com','client','https://accounts.google.com','pat-sub',X'000000000000000000000006FDBEF5C36D7926A46087862131EB3FF64A6BC8B4655EB476C4B9',1795255200,NULL,NULL,NULL,X'00000000000000000000000781407D7079743BEB7A4A8A760F2AF864985BB2FD3FF31F',1795251600,'openid email',1795251600,'browser',NULL);
INSERT INTO "session" VALUES('pat','firebase','https://securetoken.google.com/p','p','https://securetoken.google.com/p','pat-sub',NULL,NULL,X'00000000000000000000000812B109DD070CE1B5E262E9B676E74CCBB5292688F1D63057F944689ACF23BDA2261AC8',X'00000000000000000000000946F3CD0B4EB0B1E5E5F7BCC9D886170E80BF3A07EDF6CD92ED1F22A99A51',1795255200,X'00000000000000000000000A3AAF477A6535A8DFB2AE34D7AC0BE57D2113EEC6E56D33',1795251600,'openid email',1795251600,'google.com',NULL);
CREATE TABLE unanswered_sign_in (
    profile TEXT NOT NULL, provider_id TEXT NOT NULL, count INTEGER NOT NULL, last_at INTEGER NOT NULL,
    PRIMARY KEY (profile, provider_id)) STRICT;
INSERT INTO "unanswered_sign_in" VALUES('default','google.com',2,1795251600);
CREATE TABLE used_nonce (digest BLOB PRIMARY KEY, used_at INTEGER NOT NULL) STRICT;
INSERT INTO "used_nonce" VALUES(X'00112233',1795251600);
CREATE TABLE vault (
    id INTEGER PRIMARY KEY CHECK (id = 1), kind TEXT NOT NULL, key_check BLOB NOT NULL) STRICT;
INSERT INTO "vault" VALUES(1,'file',X'00000000000000000000000174A3CB9427805C5C6444E08C03894B58611DFE01127814');
CREATE INDEX account_email ON account (profile, email);
CREATE INDEX pending_credential_account ON pending_credential (account_uid);
