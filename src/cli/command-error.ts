/** Why a command was not done: one sentence for whoever gave it. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}
