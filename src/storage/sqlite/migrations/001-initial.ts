/** Times are milliseconds since 1970, UTC; ids are 24 hexadecimal characters. */
export const initial = `
  CREATE TABLE deployment (
    item TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE users (
    _id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT NOT NULL UNIQUE,
    passwordHash TEXT NOT NULL,
    createdAt INTEGER NOT NULL,
    updatedAt INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE sessions (
    _id TEXT PRIMARY KEY,
    user TEXT NOT NULL,
    expiresAt INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_of_user ON sessions (user);
  CREATE INDEX sessions_by_expiry ON sessions (expiresAt);

  CREATE TABLE refresh_tokens (
    tokenHash TEXT PRIMARY KEY,
    session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
    expiresAt INTEGER NOT NULL,
    spentAt INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX refresh_tokens_of_session ON refresh_tokens (session);
  CREATE INDEX refresh_tokens_by_expiry ON refresh_tokens (expiresAt);

  CREATE TABLE clients (
    _id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    createdAt INTEGER NOT NULL,
    updatedAt INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX clients_of_owner ON clients (owner, createdAt, _id);

  CREATE TABLE projects (
    _id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    client TEXT NOT NULL REFERENCES clients,
    owner TEXT NOT NULL,
    createdAt INTEGER NOT NULL,
    updatedAt INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX projects_of_client ON projects (client);

  CREATE TABLE licenses (
    _id TEXT PRIMARY KEY,
    keyHash TEXT NOT NULL UNIQUE,
    sealedKey TEXT NOT NULL,
    duration INTEGER NOT NULL,
    issuedAt INTEGER NOT NULL,
    expiresAt INTEGER NOT NULL,
    services TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('PENDING', 'ACTIVE', 'REVOKED')),
    user TEXT NOT NULL,
    client TEXT NOT NULL REFERENCES clients,
    project TEXT NOT NULL REFERENCES projects,
    machineId TEXT,
    activatedAt INTEGER,
    revokedAt INTEGER,
    revokedReason TEXT,
    createdAt INTEGER NOT NULL,
    updatedAt INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX licenses_of_client ON licenses (client);
  CREATE INDEX licenses_of_project ON licenses (project);
`;
