/** How long a statement may take, or a transaction with all its attempts. */
export class Deadline {
  // A request fails within 3 s; most of them ask the store for little beside what takes the longest.
  readonly milliseconds: number = 2_500;
}
