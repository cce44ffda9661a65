/** Time limit for the work of a request; outside of requests, for a statement or a transaction. */
export class Deadline {
  // A response is sent within 3 s of its request's body: this leaves 200 ms to serialize and send it.
  readonly milliseconds: number = 2_800;
}
