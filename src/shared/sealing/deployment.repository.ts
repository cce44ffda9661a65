/** What a deployment makes once for itself and keeps in its store. */
export type DeploymentItem = 'data-keys' | 'machine-identity';

/** The port to what this deployment made for itself. */
export abstract class DeploymentRepository {
  /** Keeps a value unless there is one already; answers the one that is kept, durably. */
  abstract keepFirst(item: DeploymentItem, value: string): Promise<string>;

  /** The kept value, or null. */
  abstract find(item: DeploymentItem): Promise<string | null>;

  /** Replaces a value if it still is the expected one; answers whether it was. */
  abstract replace(item: DeploymentItem, expected: string, value: string): Promise<boolean>;
}
