/** Characters of the bar. */
const WIDTH = 30;

/** Shows progress on a terminal; elsewhere, such as in a log, it shows nothing. */
export class ProgressBar {
  constructor(private readonly output: Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean }) {}

  /** @param total undefined until the rows are counted */
  show(work: string, done: number, total = 0): void {
    if (!this.output.isTTY) return;
    const filled = total > 0 ? Math.round((done / total) * WIDTH) : 0;
    const bar = `[${'#'.repeat(filled).padEnd(WIDTH)}] ${done} of ${total} rows`;
    this.output.write(`\r${work} ${total > 0 ? bar : `${done} rows`}`);
  }

  /** Clears the line for the summary. */
  end(): void {
    if (this.output.isTTY) this.output.write('\n');
  }
}
