import fs from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { casesInScope, describeOnEachNode } from '../scope.js';
import { expectOneSentence } from './one-sentence.js';
import { Operator } from './operator.js';
import { expectPortInUse } from './port-in-use.js';

describeOnEachNode('A start that fails because of the machine prints', () => {
  const operator = new Operator();

  afterAll(() => operator.leave());

  it.concurrent.each(
    casesInScope([
      ['a file', 'file', 'ENOTDIR'],
      ['below a file', 'other-file/data', 'ENOTDIR'],
    ]),
  )('that DATA_DIR is %s', async (_case, DATA_DIR, code) => {
    fs.writeFileSync(operator.path(String(DATA_DIR.split('/')[0])), '');

    expectOneSentence(
      await operator.startInVain({ DATA_DIR }),
      `${operator.path(DATA_DIR)} cannot be used (${code})`,
      'set DATA_DIR',
    );
  });

  it.concurrent('that its store is not a database', async () => {
    fs.mkdirSync(operator.path('broken'));
    fs.writeFileSync(operator.path('broken', 'licenses.sqlite'), 'no database '.repeat(100));

    expectOneSentence(
      await operator.startInVain({ DATA_DIR: 'broken' }),
      `${operator.path('broken')} cannot be opened (file is not a database)`,
      'set another DATA_DIR',
    );
  });

  it.concurrent('that a newer version has written its store', async () => {
    fs.mkdirSync(operator.path('newer'));
    const store = new DatabaseSync(operator.path('newer', 'licenses.sqlite'));
    store.exec('PRAGMA user_version = 99');
    store.close();

    expectOneSentence(
      await operator.startInVain({ DATA_DIR: 'newer' }),
      'schema 99',
      'use the newer version',
    );
  });

  it.concurrent(
    'that another process uses its store, and does not affect that process',
    async () => {
      const owner = await operator.start();

      expectOneSentence(
        await operator.startInVain(),
        `Another process is using the store in ${operator.path('data')}: stop it`,
        'set another DATA_DIR',
      );
      expect((await owner.get('/health/ready')).status).toBe(200);
    },
  );

  it.concurrent('that its port is in use', () => expectPortInUse(operator, 'PORT', 'for-port'));

  it.concurrent('that its HOST is not an address of the machine', async () => {
    // Reserved for documentation (RFC 5737): no machine has it.
    const HOST = '203.0.113.1';

    expectOneSentence(
      await operator.startInVain({ HOST, DATA_DIR: 'for-host' }),
      HOST,
      'not an address of this machine: set another HOST',
    );
  });
});
