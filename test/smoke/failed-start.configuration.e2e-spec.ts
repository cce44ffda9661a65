import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { MongoMemoryServer } from 'mongodb-memory-server-core';
import { casesInScope, describeOnEachNode } from '../scope.js';
import { expectOneSentence } from './one-sentence.js';
import { Operator } from './operator.js';

const secret = () => randomBytes(48).toString('base64');
const itWithMongod = process.env.TEST_MONGOD ? it.concurrent : it.concurrent.skip;

const SECRETS = { JWT_SECRET: secret(), LICENSE_SECRET: secret() };

describeOnEachNode('A start with a wrong configuration', () => {
  const operator = new Operator();

  afterAll(() => operator.leave());

  it.concurrent.each(
    casesInScope([
      [
        'every variable that is wrong',
        { PORT: 'http', HOST: 'http://localhost', REGISTRATION: 'maybe' },
        ['PORT takes a whole number', 'HOST takes', 'REGISTRATION takes open or first or closed'],
      ],
      [
        'secrets that are a placeholder or too short (S10)',
        {
          JWT_SECRET: 'change-me-change-me-change-me-1234',
          LICENSE_SECRET: 'of-31-bytes-0123456789-QWXZKJVU',
        },
        ['JWT_SECRET takes', 'openssl rand', 'LICENSE_SECRET takes at least 32 bytes'],
      ],
      [
        'secrets that MONGODB_URI needs (S10)',
        { MONGODB_URI: 'mongodb://db1,db2/licenses?replicaSet=rs0' },
        ['JWT_SECRET must be set', 'MONGODB_URI', 'openssl rand'],
      ],
    ]),
  )('prints %s, and leaves nothing behind', async (_case, env, words) => {
    const ending = await operator.startInVain(env);

    expectOneSentence(ending, ...words);
    expect(ending.stdout).toBe('');
    expect(fs.readdirSync(operator.folder)).toEqual([]);
  });

  // Nothing listens on port 1: connections to it are rejected at once.
  it.concurrent.each(
    casesInScope([
      [
        'that the server does not respond',
        'mongodb://admin:hunter2@127.0.0.1:1/licenses',
        ['127.0.0.1:1', 'start it', 'MONGODB_URI'],
      ],
      [
        'that the URI asks for less durable writes',
        'mongodb://admin:hunter2@127.0.0.1:1/licenses?w=1',
        ['MONGODB_URI asks for less', 'w=majority'],
      ],
      [
        'that the URI cannot be read',
        'mongodb://admin:hunter2/@127.0.0.1:1/licenses',
        ['MONGODB_URI cannot be read', 'mongodb://user:password@host', 'percent-encode'],
      ],
    ]),
  )('prints %s, without its password', async (_case, MONGODB_URI, words) => {
    const ending = await operator.startInVain({ ...SECRETS, MONGODB_URI });

    expectOneSentence(ending, ...words);
    expect(ending.stdout + ending.stderr).not.toContain('hunter2');
  });

  itWithMongod('prints how a standalone server becomes a replica set', async () => {
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
});
