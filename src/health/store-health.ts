/** The port by which readiness asks the store. */
export abstract class StoreHealth {
  /** Resolves when the store answers; rejects when it does not. */
  abstract ping(): Promise<void>;
}
