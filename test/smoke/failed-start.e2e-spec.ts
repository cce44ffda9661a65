import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { DatabaseSync } from '@photostructure/sqlite';
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
    [
      'secrets that MONGODB_URI needs (S10)',
      { MONGODB_URI: 'mongodb://admin:hunter2@db1,db2/licenses?replicaSet=rs0' },
      ['JWT_SECRET must be set', 'MONGODB_URI', 'openssl rand'],
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

  it.concurrent('a DATA_DIR that is a file', async () => {
    fs.writeFileSync(operator.path('file'), '');
    const ending = await operator.startInVain({ DATA_DIR: 'file' });

    const cause = `${operator.path('file')} cannot be used (ENOTDIR)`;
    expectOneSentence(ending, cause, 'set DATA_DIR');
  });

  it.concurrent('a store that a newer version has written', async () => {
    fs.mkdirSync(operator.path('newer'));
    const store = new DatabaseSync(operator.path('newer', 'licenses.sqlite'));
    store.exec('PRAGMA user_version = 99');
    store.close();

    const ending = await operator.startInVain({ DATA_DIR: 'newer' });
    expectOneSentence(ending, 'schema 99', 'use the newer version');
  });

  it.concurrent('a store that another process uses, which is not affected', async () => {
    const owner = await operator.start();

    const cause = `Another process is using the store in ${operator.path('data')}: stop it`;
    expectOneSentence(await operator.startInVain(), cause, 'set another DATA_DIR');
    expect((await owner.get('/health/ready')).status).toBe(200);
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
