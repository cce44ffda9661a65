import fs from 'node:fs';

/** Sampling interval of the memory in milliseconds, and the number of samples between two of the connections. */
const SAMPLE_EVERY = 50;
const CONNECTIONS_EVERY = 10;

/**
 * Samples the resident memory of a process, in MB, and the connections that it has more than now, until it is stopped.
 *
 * Connections are counted among its open files: the kernel's list of connections also has those that were closed within the
 * last minute, and takes longer to read than the service takes to respond.
 */
export function watchProcess(pid: number) {
  const megabytes = () => {
    const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024);
  };
  const files = () => fs.readdirSync(`/proc/${pid}/fd`).length;
  const before = { megabytes: megabytes(), files: files() };
  const peak = { megabytes: before.megabytes, connections: 0 };
  let samples = 0;
  const timer = setInterval(() => {
    peak.megabytes = Math.max(peak.megabytes, megabytes());
    if (samples++ % CONNECTIONS_EVERY > 0) return;
    peak.connections = Math.max(peak.connections, files() - before.files);
  }, SAMPLE_EVERY);
  return { before: before.megabytes, peak, stop: () => clearInterval(timer) };
}
