/** Why the process cannot start: one sentence for the operator that names the cause and the remedy. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
