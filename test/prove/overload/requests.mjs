/** Requests as they are on the wire; `{unique}` becomes 13 other characters each time, `{address}` another address. */
export class Requests {
  #parts;
  #made = 0;

  /** @param {string[]} texts */
  constructor(texts) {
    this.#parts = texts.map((text) => text.split(/\{(unique|address)\}/));
  }

  /** The request of a number, in rotation. */
  at(number) {
    const [before, kind, after] = this.#parts[number % this.#parts.length];
    if (kind === undefined) return before;
    this.#made += 1;
    return before + (kind === 'unique' ? this.#unique() : this.#address()) + after;
  }

  #unique() {
    return `${process.pid % 10_000}`.padStart(4, '0') + `${this.#made}`.padStart(9, '0');
  }

  /** One of three million, and as long as any. */
  #address() {
    const byte = (index) => 100 + (Math.floor(this.#made / 150 ** index) % 150);
    return `203.${byte(2)}.${byte(1)}.${byte(0)}`;
  }
}

/** An address of the loopback network, in 127.network.0.0/16. */
export function addressIn(network, number) {
  return `127.${network}.${(number >> 8) & 255}.${number & 255}`;
}
