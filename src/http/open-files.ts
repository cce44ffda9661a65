import fs from 'node:fs';

/** The part of its open files that a process may use for connections. The rest is for the store, deliveries and logs. */
const FOR_CONNECTIONS = 0.8;

/** The most files that this process may open (`ulimit -n`); only Linux says so. */
function mostOpenFiles(): number {
  const limits = '/proc/self/limits';
  const text = fs.existsSync(limits) ? fs.readFileSync(limits, 'utf8') : '';
  return Number(/^Max open files +(\d+)/m.exec(text)?.[1] ?? Infinity);
}

/** As many of MAX_CONNECTIONS as the process may open files for, and a warning if these are fewer. */
export function boundConnections(maxConnections: number, files = mostOpenFiles()) {
  const most = Math.min(maxConnections, Math.floor(files * FOR_CONNECTIONS));
  if (most === maxConnections) return { maxConnections, warnings: [] };
  const warning =
    `This process can open only ${files} files, so it accepts ${most} connections instead of ${maxConnections}. ` +
    `Allow it ${Math.ceil(maxConnections / FOR_CONNECTIONS)} files (ulimit -n) or lower MAX_CONNECTIONS.`;
  return { maxConnections: most, warnings: [warning] };
}
