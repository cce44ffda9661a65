export const certificates = `
  ALTER TABLE license_events ADD COLUMN certificateExpiresAt INTEGER;
  CREATE INDEX certificates_of_license ON license_events (license, certificateExpiresAt)
    WHERE certificateExpiresAt IS NOT NULL;

  -- One record an account; the keys are JSON: current, next and retired.
  CREATE TABLE signing_keys (
    _id TEXT PRIMARY KEY,
    issuer TEXT NOT NULL UNIQUE,
    currentKid TEXT NOT NULL,
    keys TEXT NOT NULL,
    rotations INTEGER NOT NULL,
    createdAt INTEGER NOT NULL,
    updatedAt INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;
