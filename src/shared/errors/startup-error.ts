/** A startup failure. Its message is one sentence for the operator, with the cause and the remedy. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

const LISTEN_FAILURES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is already in use: stop the program that uses it, or set another PORT.',
  EACCES: 'needs privileges that this user does not have: set a PORT of 1024 or more.',
  EADDRNOTAVAIL: 'is not an address of this machine: set another HOST.',
  ENOTFOUND: 'is not an address of this machine: set another HOST.',
};

type ListenError = NodeJS.ErrnoException & { address?: string; hostname?: string; port?: number };

/** Explains a startup failure to the operator: one sentence, without a stack. */
export function explainStartupFailure(error: unknown): string {
  if (error instanceof StartupError) return error.message;
  const { code = '', syscall = '', address, hostname, port, message } = error as ListenError;
  // The same codes occur for files and for the store; the advice is only about listening.
  const failure = ['listen', 'getaddrinfo'].includes(syscall) && LISTEN_FAILURES[code];
  if (!failure) return `The service cannot start: ${message}`;
  const host = address?.includes(':') ? `[${address}]` : (address ?? hostname);
  return `${host}${port === undefined ? '' : `:${port}`} ${failure}`;
}
