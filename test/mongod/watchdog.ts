/** Its signal aborts when no progress has been reported for so long. */
export class Watchdog {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(limitMs: number) {
    this.#timer = setTimeout(() => this.#controller.abort(), limitMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  progress(): void {
    if (!this.signal.aborted) this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
