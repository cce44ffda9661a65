// Runs the scenarios of docs/sdk/scenarios.md on the built SDK: one command per line on standard input, one result per line on
// standard output.
import readline from 'node:readline';
import { License, LicenseError } from './dist/index.js';

let license;
let clock = 0;

const COMMANDS = {
  start({ options }) {
    license = new License({ ...options, now: () => clock });
    return null;
  },
  call({ method, argument }) {
    if (method === 'has' || method === 'mayUpdateTo') return license.status()[method](argument);
    return argument === undefined ? license[method]() : license[method](argument);
  },
};

async function run({ do: name, now, ...command }) {
  clock = now;
  try {
    return { returns: (await COMMANDS[name](command)) ?? null };
  } catch (error) {
    if (!(error instanceof LicenseError)) throw error;
    const { code, message, retryAfter } = error;
    return { throws: { code, message, retryAfter } };
  }
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await run(JSON.parse(line)))}\n`);
}
