/** Lets work on one subject wait for its turn; work on different subjects does not wait. */
export class Turns {
  private readonly last = new Map<string, Promise<unknown>>();

  /** Runs work after all that came before it on the same subject, however that ended. */
  async take<T>(subject: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(subject) ?? Promise.resolve();
    const turn = before.then(work, work);
    this.last.set(subject, turn);
    try {
      return await turn;
    } finally {
      if (this.last.get(subject) === turn) this.last.delete(subject);
    }
  }

  /** How many subjects are being worked on. */
  get size(): number {
    return this.last.size;
  }
}
