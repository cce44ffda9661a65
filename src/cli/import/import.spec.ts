import fs from 'node:fs';
import path from 'node:path';
import { SECRETS } from '../../../test/engines.js';
import { useFolder } from '../../../test/use-folder.js';
import { changeAccount } from '../accounts.js';
import { canonicalLine } from './canonical.js';
import { csvRow } from './csv.js';
import { type ImportCommandOptions, importFiles } from './import.js';
import { mapped } from './import-map.js';
import { zonedTime } from './zoned-time.js';

describe('A line of CSV', () => {
  it('has nested fields, lists, numbers, times and the end of a perpetual license', () => {
    const cells = {
      ...{ ref: '7', key: 'A1B2', 'client.email': 'ada@example.com', 'client.name': '' },
      ...{ services: 'Hosting; Domain', maxMachines: '3', issuedAt: '2026-07-01 12:00' },
      ...{ expiresAt: 'Lifetime', 'metadata.order': '4711' },
    };
    expect(csvRow(cells, { timeZone: 'Europe/Berlin' })).toEqual({
      ...{ ref: '7', key: 'A1B2', client: { email: 'ada@example.com' } },
      ...{ services: ['Hosting', 'Domain'], maxMachines: 3 },
      ...{ issuedAt: '2026-07-01T10:00:00.000Z', expiresAt: null, metadata: { order: '4711' } },
    });
  });

  it('gets its fields from the columns of a map, and its status and product from the words of one', () => {
    const columns = { ref: 'Id', status: 'State', product: 'Item' };
    const row = csvRow({ Id: '7', State: 'Paid', Item: 'p1', Other: 'x' }, { columns });
    const products = { p1: { project: 'Draw', plan: 'Pro' } };
    expect(
      mapped(row as Record<string, unknown>, { statuses: { Paid: 'active' }, products }),
    ).toEqual({
      ...{ ref: '7', status: 'active', project: 'Draw', plan: 'Pro' },
    });
  });
});

it.each([
  ['2026-01-15', 'Europe/Berlin', '2026-01-14T23:00:00.000Z'],
  ['2026-03-29 03:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['2026-07-01T12:00:05', 'America/New_York', '2026-07-01T16:00:05.000Z'],
  ['2026-07-01T12:00:00+02:00', 'UTC', '2026-07-01T12:00:00+02:00'],
  ['2026-02-31', 'UTC', '2026-02-31'],
  ['soon', 'UTC', 'soon'],
])('the time %j in %s is %j', (text, zone, time) => {
  expect(zonedTime(text, zone)).toBe(time);
});

it('a line that is no JSON is a row that will be rejected', () => {
  expect(canonicalLine('{"ref":')).toBeNull();
});

describe('npm run import', () => {
  const folder = useFolder();
  const account = 'ada@studio.example';
  const KEYS = ['C1B6DE-39A6E3-DE1529-8559A0', 'AAAAAA-BBBBBB-CCCCCC-DDDDDD'];

  it('checks, imports once, and reports each row without keys and addresses', async () => {
    const env = { ...SECRETS, DATA_DIR: path.join(folder(), 'data'), LOG_LEVEL: 'silent' };
    const write = (name: string, text: string) => {
      const file = path.join(folder(), name);
      fs.writeFileSync(file, text);
      return file;
    };
    await changeAccount('create', account, {}, env);
    const lines = KEYS.map((key, index) => `${index},${key},u${index}@client.example,never`);
    const csv = write(
      'licenses.csv',
      `Order,Key,Mail,Ends\n${lines.join('\n')}\n9,short,x,never\n`,
    );
    const map = write(
      'map.json',
      JSON.stringify({
        columns: { ref: 'Order', key: 'Key', 'client.email': 'Mail', expiresAt: 'Ends' },
        defaults: { product: 'draw', services: ['Hosting'] },
      }),
    );
    const run = (options: Partial<ImportCommandOptions>) =>
      importFiles([csv], { from: 'csv', account, map, ...options }, env);
    const check = await run({ check: true });
    expect(check.isComplete).toBe(false);
    expect(check.text).toMatch(/2 created\n +1 rejected\nKEY_INVALID \(key\): 1\n {2}row 3, 9/);
    expect((await run({})).text).toContain('2 created');
    const again = await run({});
    expect(again.text).toContain('2 same');
    const report = fs.readFileSync(`${csv}.report-1.ndjson`, 'utf8');
    expect(fs.statSync(`${csv}.report-1.ndjson`).mode & 0o777).toBe(0o600);
    expect(report.trimEnd().split('\n')).toHaveLength(3);
    expect(report).not.toMatch(/C1B6DE|client\.example/);
    expect(again.text).toContain('report-2.ndjson');

    const small = await importFiles(
      [csv],
      { from: 'csv', account, map },
      { ...env, LICENSE_QUOTA: '2' },
    );
    expect(small.text).not.toContain('exceeded');
    const more = write('more.csv', `Order,Key,Mail,Ends\n5,${KEYS[0]}X,u5@client.example,never\n`);
    const full = await importFiles(
      [more],
      { from: 'csv', account, map },
      { ...env, LICENSE_QUOTA: '2' },
    );
    expect(full).toMatchObject({
      isComplete: false,
      text: expect.stringContaining('exceeded by 1 licenses') as string,
    });
    await expect(run({ account: 'eve@studio.example' })).rejects.toThrow('There is no account');
    await expect(run({ timeZone: 'Mars' })).rejects.toThrow('is not a time zone');
  });
});
