/**
 * A TTL index: MongoDB deletes a record a day after this time by its own clock. Whether a record has expired is
 * judged by the service's clock.
 */
export const DELETED_AFTER = { expireAfterSeconds: 86_400 } as const;
