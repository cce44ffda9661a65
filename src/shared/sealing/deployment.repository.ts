/** Items that a deployment generates once and keeps in its store. */
export type DeploymentItem = 'data-keys' | 'machine-identity';

/** The port to the items that this deployment generated. */
export abstract class DeploymentRepository {
  /** Stores a value durably unless there is one; returns the stored one. */
  abstract keepFirst(item: DeploymentItem, value: string): Promise<string>;

  /** The stored value, or null. */
  abstract find(item: DeploymentItem): Promise<string | null>;

  /** Replaces a value if it is still the expected one; returns whether it was. */
  abstract replace(item: DeploymentItem, expected: string, value: string): Promise<boolean>;
}
