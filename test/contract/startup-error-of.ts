import { StartupError } from '../../src/shared/errors/startup-error.js';

/** The message of a failed start or command; `done` on success. */
export const startupErrorOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => {
      expect(error).toBeInstanceOf(StartupError);
      return (error as Error).message;
    },
  );
