/**
 * An account's idempotency records are numbered in the order in which they are stored. Those of an earlier
 * version have no owner, and expire within a day.
 */
export const ownersOfIdempotencyRecords = `
  ALTER TABLE idempotency_claims ADD COLUMN owner TEXT;
  ALTER TABLE idempotency_claims ADD COLUMN sequence INTEGER;
  CREATE UNIQUE INDEX idempotency_claims_of_owner ON idempotency_claims (owner, sequence);
`;
