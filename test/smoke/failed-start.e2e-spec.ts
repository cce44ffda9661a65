import fs from 'node:fs';
import { MongoMemoryServer } from 'mongodb-memory-server-core';
import { SECRETS } from '../engines.js';
import { expectOneSentence } from './running-process.js';
import { Operator } from './operator.js';

const itWithMongod = process.env.TEST_MONGOD ? it.concurrent : it.concurrent.skip;

describe('A start that fails prints the cause and the remedy in one sentence:', () => {
  const operator = new Operator();
  afterAll(() => operator.leave());

  it.concurrent.each([
    [
      'a variable that is wrong, and a secret that is a placeholder (S10)',
      { PORT: 'http', JWT_SECRET: 'change-me-change-me-hunter2' },
      ['PORT takes', 'JWT_SECRET takes', 'openssl rand'],
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
    expect(ending.stdout + ending.stderr).not.toContain('hunter2');
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
    const { port } = new URL((await operator.start()).url);
    const ending = await operator.startInVain({ PORT: port, DATA_DIR: 'another' });

    expectOneSentence(ending, `127.0.0.1:${port} is already in use`, 'set another PORT');
  });
});
