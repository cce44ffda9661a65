/** Requests as they are on the wire; `{unique}` becomes 13 other characters each time. */
export class Requests {
  #parts;
  #made = 0;

  /** @param {string[]} texts */
  constructor(texts) {
    this.#parts = texts.map((text) => text.split('{unique}'));
  }

  /** The request of a number, in rotation. */
  at(number) {
    const [before, after] = this.#parts[number % this.#parts.length];
    if (after === undefined) return before;
    this.#made += 1;
    const unique = `${process.pid % 10_000}`.padStart(4, '0') + `${this.#made}`.padStart(9, '0');
    return before + unique + after;
  }
}
