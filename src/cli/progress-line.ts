/** The stream on which progress is shown: stderr. */
type Output = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;

/** Milliseconds between two lines: on a terminal the line is rewritten, elsewhere each is a new one. */
const INTERVAL = { terminal: 200, log: 10_000 };

const FULL = 24;

/** Shows how far long work has come, and the time left. */
export class ProgressLine {
  private what = '';
  private total = 0;
  private done = 0;
  private begun = 0;
  private shownAt = 0;

  /** @param now a clock in milliseconds */
  constructor(
    private readonly output: Output,
    private readonly now: () => number = () => performance.now(),
  ) {}

  begin(what: string, total: number): void {
    this.end();
    Object.assign(this, { what, total, done: 0, begun: this.now() });
    this.show();
  }

  add(count: number): void {
    this.done += count;
    const interval = this.output.isTTY ? INTERVAL.terminal : INTERVAL.log;
    if (this.now() - this.shownAt >= interval) this.show();
  }

  /** Ends a line that is rewritten: another text may follow. */
  end(): void {
    if (this.what === '') return;
    this.show();
    if (this.output.isTTY) this.output.write('\n');
    this.what = '';
  }

  /** Prints a line of its own, below the progress. */
  print(text: string): void {
    this.end();
    this.output.write(`${text}\n`);
  }

  private show(): void {
    this.shownAt = this.now();
    const share = this.total === 0 ? 1 : Math.min(this.done / this.total, 1);
    const numbers = `${format(this.done)} of ${format(this.total)}${this.timeLeft()}`;
    if (!this.output.isTTY) {
      this.output.write(`${this.what}: ${Math.floor(share * 100)} %, ${numbers}\n`);
      return;
    }
    const bar = '#'.repeat(Math.floor(share * FULL)).padEnd(FULL, '.');
    // Clears the rest of a longer line.
    this.output.write(`\r${this.what} [${bar}] ${numbers}\u001b[K`);
  }

  private timeLeft(): string {
    if (this.done === 0 || this.done >= this.total) return '';
    const seconds = ((this.now() - this.begun) / this.done / 1000) * (this.total - this.done);
    return `, ${formatSeconds(Math.ceil(seconds))} left`;
  }
}

const format = (count: number) => count.toLocaleString('en');

const formatSeconds = (seconds: number) =>
  seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
