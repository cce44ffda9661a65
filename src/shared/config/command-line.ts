/** npm sets it in the scripts of a checkout; `npx` and an installed package do not. */
const IS_CHECKOUT = ['run-script', 'start'].includes(process.env.npm_command ?? '');

/** The program that the operator called; its commands follow. */
export const PROGRAM = IS_CHECKOUT ? 'npm run' : 'license-service';

/** A command as the operator types it, such as `user create EMAIL`. npm consumes options unless they follow `--`. */
export const commandLine = (command: string): string =>
  IS_CHECKOUT ? `npm run ${command.replace(' ', ' -- ')}` : `license-service ${command}`;
