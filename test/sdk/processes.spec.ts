import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Status } from '../../sdk/node/src/index.js';
import { active, activeWith, Customer, HeldReply, ISSUER, KEY } from './customer.js';
import { DAY, NOW } from './issuer.js';

const run = promisify(execFile);
const SDK = path.resolve('sdk/node/dist/index.js');

let customer: Customer;
beforeEach(() => (customer = new Customer()));
afterEach(() => customer.leave());

/** Runs the built SDK in a process of its own: `script` has `options` and `license`, and returns what is printed. */
async function inProcess(script: string, env: NodeJS.ProcessEnv = {}): Promise<unknown> {
  const { now, ...options } = customer.options;
  const program = `
    import { License } from ${JSON.stringify(SDK)};
    const options = ${JSON.stringify(options)};
    const license = new License({ ...options, now: () => ${now!()} });
    console.log(JSON.stringify(await (async () => { ${script} })()));
  `;
  const shell = `${env.LIMIT ?? ''} exec "$0" --input-type=module --eval "$1"`;
  const { stdout } = await run('sh', ['-c', shell, process.execPath, program], {
    env: { ...process.env, ...env },
  });
  return JSON.parse(stdout);
}

const refresh = (env?: NodeJS.ProcessEnv) =>
  inProcess('return license.refresh()', env) as Promise<Status>;

describe('processes that refresh at once', () => {
  it('leave a complete file with the certificate that ends later, whichever writes last', async () => {
    await customer.activated();
    const early = new HeldReply(active({ days: 20 }));
    await customer.script(early.hold, active({ days: 30 }));
    const first = refresh();
    await early.requested;
    await refresh();
    early.send();
    const end = new Date((NOW + 30 * DAY) * 1000);
    expect((await first).until).toBe(end.toISOString());
    expect(customer.license().status()).toMatchObject({ state: 'valid', until: end });
  });

  it('never mix their files', async () => {
    await customer.activated();
    const certificates = [20, 30, 40, 50].map((days) => ISSUER.certificate({ days }));
    const held = certificates.map((certificate) => new HeldReply(activeWith(certificate)));
    await customer.script(...held.map(({ hold }) => hold));
    const refreshed = held.map(() => refresh());
    await Promise.all(held.map(({ requested }) => requested));
    held.forEach((reply) => reply.send());
    for (const status of await Promise.all(refreshed)) expect(status.state).toBe('valid');
    expect(certificates).toContain(customer.state.certificate);
    expect(customer.state).toMatchObject({ version: 1, key: KEY, rejection: null });
    expect(fs.readdirSync(customer.folder)).toHaveLength(1);
  });
});

describe('two processes that start at once in a container', () => {
  it('agree on the random id of the machine', async () => {
    const script = `
      const { fingerprint, ...rest } = options;
      return JSON.parse(new License(rest).request()).fingerprint;
    `;
    const start = () => inProcess(script, { KUBERNETES_SERVICE_HOST: '10.0.0.1' });
    const fingerprints = await Promise.all([start(), start(), start(), start()]);
    expect(new Set(fingerprints).size).toBe(1);
    expect(fs.readdirSync(customer.folder)).toEqual(['machine-id']);
  });
});

describe('a process that may not write a single byte', () => {
  it('keeps the old state, reports the folder, and leaves no temporary file', async () => {
    await customer.activated();
    const before = customer.state;
    await customer.script(active({ days: 30 }));
    // The largest file may have 0 bytes; stdout is a pipe.
    const status = await refresh({ LIMIT: "trap '' XFSZ; ulimit -f 0;" });
    expect(status).toMatchObject({ state: 'valid', reason: 'folder' });
    expect(customer.state).toEqual(before);
    expect(fs.readdirSync(customer.folder)).toHaveLength(1);
  });
});
