/** A startup failure. The message tells the operator the cause and the remedy in one sentence. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

/** The variables of an address: `PORT` and `HOST`, or `METRICS_PORT` and `METRICS_HOST`. */
type Prefix = '' | 'METRICS_';

const LISTEN_FAILURES: Readonly<Record<string, (prefix: Prefix) => string>> = {
  EADDRINUSE: (prefix) =>
    `is already in use. Stop the program that uses it or set a different ${prefix}PORT.`,
  EACCES: (prefix) =>
    `needs privileges that this user does not have. Set ${prefix}PORT to 1024 or higher.`,
  EADDRNOTAVAIL: (prefix) => `is not an address of this machine. Set a different ${prefix}HOST.`,
  ENOTFOUND: (prefix) => `is not an address of this machine. Set a different ${prefix}HOST.`,
};

type ListenError = NodeJS.ErrnoException & { address?: string; hostname?: string; port?: number };

/** Explains a startup failure to the operator in one sentence, without a stack trace. */
export function explainStartupFailure(error: unknown): string {
  if (error instanceof StartupError) return error.message;
  return (
    explainListenFailure(error) ??
    explainLoadFailure(error) ??
    explainDamage(error) ??
    `The service cannot start: ${(error as Error).message}`
  );
}

const SQLITE_CORRUPT = 11;

/** Explains that the file of the store is damaged; undefined for other failures. */
export function explainDamage(error: unknown): string | undefined {
  const { errcode = 0, message } = error as Error & { errcode?: number };
  if ((errcode & 0xff) !== SQLITE_CORRUPT) return undefined;
  return `The store in DATA_DIR is damaged (${message}). Stop the service and restore a backup.`;
}

/** Explains that the limit of open files is too low; undefined for other failures. */
function explainOpenFiles({ code = '', message = '' }: Partial<NodeJS.ErrnoException>) {
  if (code !== 'EMFILE' && !message.includes('Too many open files')) return undefined;
  return 'This process may open too few files. Allow it at least 1,024 (ulimit -n, or LimitNOFILE in a systemd unit).';
}

const NOT_LOADED = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED'];

/** Explains that Node is too old, that it may open too few files, or that npm has not installed a package or its native part; undefined for other failures. */
export function explainLoadFailure(error: unknown): string | undefined {
  const { code = '', message = '', stack = '' } = error as Partial<NodeJS.ErrnoException>;
  const tooFew = explainOpenFiles({ code, message });
  if (tooFew) return tooFew;
  if (message.includes("module 'node:")) {
    return `This is Node ${process.versions.node}. The service needs Node 20.19, 22.12, 24 or newer.`;
  }
  if (!NOT_LOADED.includes(code) && !/native (binding|build)/.test(message)) return undefined;
  const [, name = 'a package'] =
    /Cannot find \w+ '([^']+)'/.exec(message) ??
    /node_modules[\\/]((?:@[\w.-]+[\\/])?[\w.-]+)/.exec(`${message}\n${stack}`) ??
    [];
  return (
    `The service needs ${name}, which is missing or incomplete. Run "npm ci" in a checkout, or install the license service ` +
    'again, without --omit=optional.'
  );
}

/** Explains why the server cannot listen on an address; undefined for other failures. */
export function explainListenFailure(error: unknown, prefix: Prefix = ''): string | undefined {
  const { code = '', syscall = '', address, hostname, port } = error as ListenError;
  // Files and the store can fail with the same codes, but this advice is only about listening.
  const failure = ['listen', 'getaddrinfo'].includes(syscall) && LISTEN_FAILURES[code];
  if (!failure) return undefined;
  const host = address?.includes(':') ? `[${address}]` : (address ?? hostname);
  return `${host}${port === undefined ? '' : `:${port}`} ${failure(prefix)}`;
}
