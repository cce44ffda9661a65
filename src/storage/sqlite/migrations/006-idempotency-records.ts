/** The table of idempotency records has that name. */
export const idempotencyRecords = `
  ALTER TABLE idempotency_claims RENAME TO idempotency_records;
  DROP INDEX idempotency_claims_by_expiry;
  DROP INDEX idempotency_claims_of_owner;
  CREATE INDEX idempotency_records_by_expiry ON idempotency_records (expiresAt);
  CREATE UNIQUE INDEX idempotency_records_of_owner ON idempotency_records (owner, sequence);
`;
