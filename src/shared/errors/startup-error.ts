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
  return explainListenFailure(error) ?? `The service cannot start: ${(error as Error).message}`;
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
