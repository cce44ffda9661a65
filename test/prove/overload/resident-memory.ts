import fs from 'node:fs';

/** Samples the resident memory of a process, in MB, until it is stopped. */
export class ResidentMemory {
  readonly before: number;
  peak: number;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly pid: number) {
    this.before = this.peak = this.now();
    this.timer = setInterval(() => (this.peak = Math.max(this.peak, this.now())), 50);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private now(): number {
    const status = fs.readFileSync(`/proc/${this.pid}/status`, 'utf8');
    return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024);
  }
}
