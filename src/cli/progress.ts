/** Milliseconds between two lines of progress. */
const INTERVAL = 5_000;

/** Prints how many records a command has handled, at most one line every few seconds. */
export function progress(print = console.error): (done: string, records: number) => void {
  let printedAt = -INTERVAL;
  return (done, records) => {
    const now = performance.now();
    if (now - printedAt < INTERVAL) return;
    printedAt = now;
    print(`${done} ${records.toLocaleString('en')} records.`);
  };
}
