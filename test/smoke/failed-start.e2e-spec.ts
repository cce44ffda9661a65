import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { MongoMemoryServer } from 'mongodb-memory-server-core';
import { expectOneSentence } from './one-sentence.js';
import { Operator } from './operator.js';

const secret = () => randomBytes(48).toString('base64');
const itWithMongod = process.env.TEST_MONGOD ? it.concurrent : it.concurrent.skip;

const SECRETS = { JWT_SECRET: secret(), LICENSE_SECRET: secret() };

describe('A start that fails prints the cause and the remedy in one sentence:', () => {
  const operator = new Operator();

  afterAll(() => operator.leave());

  it.concurrent.each([
    [
      'variables that are wrong, and secrets that are a placeholder or too short (S10)',
      {
        PORT: 'http',
        JWT_SECRET: 'change-me-change-me-change-me-1234',
        LICENSE_SECRET: 'of-31-bytes-0123456789-QWXZKJVU',
      },
      ['PORT takes', 'JWT_SECRET takes', 'openssl rand', 'LICENSE_SECRET takes at least 32 bytes'],
    ],
    // Nothing listens on port 1: connections to it are rejected at once.
    [
      'a server that does not respond',
      { ...SECRETS, MONGODB_URI: 'mongodb://admin:hunter2@127.0.0.1:1/licenses' },
      ['127.0.0.1:1', 'start it', 'MONGODB_URI'],
    ],
  ])('%s; and leaves nothing behind', async (_case, env, words) => {
    const starter = new Operator();
    const ending = await starter.startInVain(env);

    expectOneSentence(ending, ...words);
    expect(ending.stdout).not.toContain('hunter2');
    expect(ending.stderr).not.toContain('hunter2');
    expect(fs.readdirSync(starter.folder)).toEqual([]);
    await starter.leave();
  });

  itWithMongod('a server that is no member of a replica set', async () => {
    const standalone = await MongoMemoryServer.create({
      instance: { storageEngine: 'wiredTiger', launchTimeout: 60_000, args: ['--nounixsocket'] },
    });
    try {
      const MONGODB_URI = standalone.getUri('licenses');
      const ending = await operator.startInVain({ ...SECRETS, MONGODB_URI });

      expectOneSentence(ending, 'MONGODB_URI stands alone', '--replSet', 'rs.initiate()');
    } finally {
      await standalone.stop({ doCleanup: true, force: true });
    }
  });

  it.concurrent('a port that is in use', async () => {
    const other = net.createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const PORT = String((other.address() as AddressInfo).port);
    const ending = await operator.startInVain({ PORT, DATA_DIR: 'for-port' });
    other.close();

    expectOneSentence(ending, `127.0.0.1:${PORT} is already in use`, 'set another PORT');
  });
});
