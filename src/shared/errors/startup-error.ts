/** Why the process cannot start: one sentence for the operator that names the cause and the remedy. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

const LISTEN_FAILURES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is already in use: stop what uses it, or set another PORT.',
  EACCES: 'needs rights that this user does not have: set a PORT of 1024 or more.',
  EADDRNOTAVAIL: 'is not an address of this machine: set another HOST.',
  ENOTFOUND: 'is not an address of this machine: set another HOST.',
};

/** What to tell the operator of a failed start: one sentence, without a stack. */
export function explainStartupFailure(error: unknown): string {
  if (error instanceof StartupError) return error.message;
  const {
    code = '',
    syscall = '',
    address,
    hostname,
    port,
    message,
  } = error as NodeJS.ErrnoException & {
    address?: string;
    hostname?: string;
    port?: number;
  };
  // Files have rights, too, and stores have host names: the advice is about listening alone.
  const failure = ['listen', 'getaddrinfo'].includes(syscall) && LISTEN_FAILURES[code];
  if (!failure) return `The service cannot start: ${message}`;
  const host = address?.includes(':') ? `[${address}]` : (address ?? hostname);
  return `${host}${port === undefined ? '' : `:${port}`} ${failure}`;
}
