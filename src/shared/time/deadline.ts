/** Longest that the work for a request may take; outside of requests, a statement or a transaction. */
export class Deadline {
  // A response is sent within 3 s of its request's body: this leaves 200 ms to serialize and send it.
  readonly milliseconds: number = 2_800;
}
