/** Refresh tokens lived 30 days, so that is how long ago a session had its latest one. */
export const accountsAndSessions = `
  ALTER TABLE users ADD COLUMN disabledAt INTEGER;

  ALTER TABLE sessions ADD COLUMN startedAt INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sessions ADD COLUMN tokenHash TEXT NOT NULL DEFAULT '';
  ALTER TABLE sessions ADD COLUMN familyHash TEXT NOT NULL DEFAULT '';
  -- A family begins with the next token: until then no token has this hash for its family.
  UPDATE sessions SET startedAt = expiresAt - 30 * 86400000, tokenHash = token, familyHash = token
    FROM (SELECT session, tokenHash AS token FROM refresh_tokens WHERE spentAt IS NULL)
    WHERE session = _id;
  DROP TABLE refresh_tokens;
  DELETE FROM sessions WHERE tokenHash = '' OR _id IN (
    SELECT _id FROM (
      SELECT _id, row_number() OVER (PARTITION BY user ORDER BY expiresAt DESC, _id DESC) AS number
      FROM sessions
    ) WHERE number > 100
  );
  CREATE UNIQUE INDEX sessions_by_token ON sessions (tokenHash);
  CREATE UNIQUE INDEX sessions_by_family ON sessions (familyHash);

  CREATE TABLE login_addresses (
    _id TEXT PRIMARY KEY,
    user TEXT NOT NULL,
    usedAt INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX login_addresses_of_user ON login_addresses (user, usedAt);

  CREATE TABLE deleted_accounts (
    _id TEXT PRIMARY KEY,
    deletedAt INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;
