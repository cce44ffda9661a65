import fs from 'node:fs';

/** The fraction of open files available to connections. The rest is for the store, deliveries and logs. */
const FOR_CONNECTIONS = 0.8;

/** The open file limit of this process (`ulimit -n`); known only on Linux. */
function maxOpenFiles(): number {
  const limits = '/proc/self/limits';
  const text = fs.existsSync(limits) ? fs.readFileSync(limits, 'utf8') : '';
  return Number(/^Max open files +(\d+)/m.exec(text)?.[1] ?? Infinity);
}

/** MAX_CONNECTIONS, lowered to the open file limit, and a warning if it was lowered. */
export function limitConnections(maxConnections: number, files = maxOpenFiles()) {
  const most = Math.min(maxConnections, Math.floor(files * FOR_CONNECTIONS));
  if (most === maxConnections) return { maxConnections, warnings: [] };
  const warning =
    `This process can open only ${files} files, so it accepts ${most} connections instead of ${maxConnections}. ` +
    `Allow it ${Math.ceil(maxConnections / FOR_CONNECTIONS)} files (ulimit -n) or lower MAX_CONNECTIONS.`;
  return { maxConnections: most, warnings: [warning] };
}
