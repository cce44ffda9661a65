const SQLITE_BUSY = 5;

/** Whether a statement failed because another connection holds the lock that it needs. */
export function isBusy(error: unknown): boolean {
  const { errcode = 0 } = error as { errcode?: number };
  // The upper bits of an extended code tell why.
  return (errcode & 0xff) === SQLITE_BUSY;
}
