import { type ChildProcess, spawn } from 'node:child_process';
import readline from 'node:readline';
import { newSecret, signedHeaders } from '../../src/webhooks/secrets.js';

const FOLDER = 'examples/webhook-receiver';
const BODY = JSON.stringify({ type: 'license.renewed', data: { subject: { name: '•••• 93KD' } } });

describe.each([
  ['Node', process.execPath, `${FOLDER}/node/receiver.mjs`],
  ['Python', 'python3', `${FOLDER}/python/receiver.py`],
])('The example of a receiver in %s', (_language, command, file) => {
  const secret = newSecret();
  let receiver: ChildProcess;
  let lines: AsyncIterator<string>;
  let url: string;
  beforeAll(async () => {
    const env = { WEBHOOK_SECRET: secret, PORT: '0', PYTHONIOENCODING: 'utf-8' };
    receiver = spawn(command, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    lines = readline.createInterface({ input: receiver.stdout! })[Symbol.asyncIterator]();
    const { value } = (await lines.next()) as { value: string };
    url = `http://127.0.0.1:${value.split(' ').at(-1)}/`;
  });
  afterAll(() => receiver.kill());

  const send = async (headers: Record<string, string>, body = BODY) =>
    (await fetch(url, { method: 'POST', headers, body })).status;
  const signed = (id: string, secrets = [secret], now = new Date()) =>
    signedHeaders(id, BODY, secrets, now);

  it('prints a message once, even if it is signed with two secrets', async () => {
    expect(await send(signed('one'))).toBe(204);
    expect(await send(signed('one'))).toBe(204);
    expect(await send(signed('two', [newSecret(), secret]))).toBe(204);
    const printed = [await lines.next(), await lines.next()];
    expect(printed.map(({ value }) => value as string)).toEqual(
      Array(2).fill('license.renewed •••• 93KD'),
    );
  });

  it('rejects messages that are signed with another secret, changed, or old', async () => {
    expect(await send(signed('three', [newSecret()]))).toBe(400);
    expect(await send(signed('three'), `${BODY} `)).toBe(400);
    expect(await send(signed('three', [secret], new Date(Date.now() - 301_000)))).toBe(400);
    expect(await send({})).toBe(400);
  });
});
