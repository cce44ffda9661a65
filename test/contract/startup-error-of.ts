import { StartupError } from '../../src/shared/errors/startup-error.js';

/** The message of the error with which a start or a command ends; `done` where it has none. */
export const startupErrorOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => {
      expect(error).toBeInstanceOf(StartupError);
      return (error as Error).message;
    },
  );
