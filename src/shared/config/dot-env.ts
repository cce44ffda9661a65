import fs from 'node:fs';
import { parseEnv } from 'node:util';
import { closestName } from '../errors/closest-name.js';
import { StartupError } from '../errors/startup-error.js';
import { VARIABLES } from './environment.js';

const NAMES = Object.keys(VARIABLES);

/** Common names in other programs that are too different from ours for {@link closestName}. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  TRUST_PROXY: 'TRUSTED_PROXIES',
  MONGO_URL: 'MONGODB_URI',
  LOGLEVEL: 'LOG_LEVEL',
};

/** Variables that `.env` may contain besides ours, because Node, SQLite and Docker Compose read them. */
const FOREIGN = /^(NODE|COMPOSE|DOCKER)_|^(TZ|TMPDIR|SQLITE_TMPDIR)$/;

const LINE = /^\s*(#|$|(?:export\s+)?([A-Za-z_]\w*)\s*=)/;

const nearest = (name: string) => OTHER_NAMES[name] ?? closestName(name, NAMES);

/**
 * Loads `.env` from the working folder if it exists. Variables that are already set keep their values.
 *
 * @throws StartupError if it is not a text file of variables, or if it names one that the service does not
 *   have
 */
export function loadDotEnv(): void {
  if (!fs.existsSync('.env')) return;
  for (const [name, value] of Object.entries(readDotEnv())) process.env[name] ??= value;
}

function readDotEnv(): Record<string, string> {
  const text = readText();
  const lines = text.split('\n');
  const wrong = lines.findIndex((line) => !LINE.test(line));
  // Not the line itself, because it may contain a secret.
  if (wrong >= 0)
    throw new StartupError(`Line ${wrong + 1} of .env is not of the form NAME=value.`);
  const names = lines.flatMap((line) => LINE.exec(line)?.[2] ?? []);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice) throw new StartupError(`.env sets ${twice} twice. Remove one of the lines.`);
  const variables = parseEnv(text) as Record<string, string>;
  const unknown = Object.keys(variables).filter(
    (name) => !NAMES.includes(name) && !FOREIGN.test(name),
  );
  if (unknown.length === 0) return variables;
  throw new StartupError(unknown.map(describeUnknown).join(' '));
}

const describeUnknown = (name: string) => {
  const meant = nearest(name);
  return meant
    ? `.env sets ${name}. Did you mean ${meant}?`
    : `.env sets ${name}, which is not a variable of this service. Remove the line.`;
};

/** The text without a byte order mark, which would become part of the first name, and with LF line ends. */
function readText(): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(fs.readFileSync('.env'));
    if (!text.includes('\0')) return text.replaceAll(/\r\n?/g, '\n');
  } catch {
    // The same advice as for a binary file.
  }
  throw new StartupError(
    '.env cannot be read. Make sure that it is a text file in UTF-8 and that this user can read it.',
  );
}

/** A warning for each environment variable whose name is almost one of ours. */
export function warnOfLookAlikes(env: NodeJS.ProcessEnv): string[] {
  return Object.keys(env).flatMap((name) => {
    const meant = NAMES.includes(name) ? undefined : nearest(name);
    return meant === undefined
      ? []
      : [`The environment sets ${name}, which has no effect. Did you mean ${meant}?`];
  });
}
