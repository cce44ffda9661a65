/** The port by which readiness checks the store. */
export abstract class StoreHealth {
  /** Resolves when the store responds; rejects when it does not. */
  abstract ping(): Promise<void>;
}
