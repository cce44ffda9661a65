/** Who makes a request: what the access token says of its bearer. */
export interface Principal {
  /** The user's id (claim `sub`). */
  readonly _id: string;
  /** The session's id (claim `sid`). */
  readonly session: string;
}
