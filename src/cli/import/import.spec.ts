import fs from 'node:fs';
import path from 'node:path';
import { SECRETS } from '../../../test/engines.js';
import { useFolder } from '../../../test/use-folder.js';
import { own } from '../../storage/sqlite/open-database.js';
import { runAccountCommand } from '../accounts.js';
import { withStore } from '../with-store.js';
import { readCanonical } from './canonical.js';
import { csvRow, readCsv } from './csv.js';
import { type ImportCommandOptions, importFiles } from './import.js';
import { mapped } from './import-map.js';
import { readPages } from './json-api.js';
import { keyboxRows, readCollections } from './keybox.js';
import { keygenRows } from './keygen.js';
import { progress } from '../progress.js';
import { zonedTime } from './zoned-time.js';

describe('A line of CSV', () => {
  it('can contain nested fields, lists, numbers, times and perpetual licenses', () => {
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

  it('gets its fields from the columns in a map, and its status and product from the words in the map', () => {
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
  ['1798761600', 'Europe/Berlin', '2027-01-01T00:00:00.000Z'],
  ['soon', 'UTC', 'soon'],
])('the time %j in %s is %j', (text, zone, time) => {
  expect(zonedTime(text, zone)).toBe(time);
});

async function all(rows: AsyncIterable<unknown>): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

const READERS = {
  canonical: readCanonical,
  csv: (file: string) => readCsv(file, {}),
  keygen: async function* (file: string) {
    yield* keygenRows(readPages([file]));
  },
  keybox: async function* (file: string) {
    yield* keyboxRows(readCollections([file]));
  },
};

describe('A file', () => {
  const folder = useFolder();
  const write = (content: string | Buffer) => {
    fs.writeFileSync(folder('rows'), content);
    return folder('rows');
  };
  const rowsOf = async (format: keyof typeof READERS, content: string | Buffer) =>
    all(READERS[format](write(content)));
  const LONG = 'x'.repeat(1024 * 1024 + 1);
  const machines = Array.from({ length: 10_000 }, (_one, index) => ({ fingerprint: `${index}` }));

  it.each<[keyof typeof READERS, string, string | Buffer, unknown[]]>([
    [
      'canonical',
      'a byte order mark and CRLF',
      '\uFEFF{"ref":"1"}\r\n\r\n{"ref":"2"}\r\n',
      ['1', '2'],
    ],
    ['canonical', 'a line that is no JSON', '{"ref":\n{"ref":"2"}', [undefined, '2']],
    ['canonical', 'deep nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, [undefined]],
    ['canonical', '10,000 machines in a row', JSON.stringify({ ref: '1', machines }), ['1']],
    ['csv', 'a byte order mark and CRLF', '\uFEFFref,key\r\n1,A\r\n', ['1']],
    ['csv', 'columns without names', 'ref,,\n1,A,B\n', ['1']],
    ['csv', 'a line break in a cell', 'ref,client.name\n1,"Ada\nLtd"\n2,=1+1\n', ['1', '2']],
    [
      'csv',
      'a column and its fields',
      'ref,client,client.name,__proto__,__proto__.x\n1,A,B,C,D\n',
      ['1'],
    ],
    ['keygen', 'a byte order mark', '\uFEFF{"data":[]}', []],
  ])('%s with %s is read', async (format, _what, content, refs) => {
    const rows = await rowsOf(format, content);
    expect(rows.map((row) => (row as { ref?: string } | null)?.ref)).toEqual(refs);
  });

  it.each<[keyof typeof READERS, string, string | Buffer, string]>([
    ['canonical', 'UTF-16', Buffer.from('\uFEFF{"ref":"1"}', 'utf16le'), 'is not UTF-8 text'],
    ['canonical', 'invalid UTF-8', Buffer.from('{"ref":"\xE9"}', 'latin1'), 'is not UTF-8 text'],
    ['canonical', 'half a character at its end', Buffer.of(0x31, 0xc3), 'is not UTF-8 text'],
    ['canonical', 'a NUL character', '{"ref":"\0"}', 'is not UTF-8 text'],
    ['canonical', 'a long line', `{}\n${LONG}`, 'Line 2 of'],
    ['csv', 'UTF-16 without a mark', Buffer.from('ref,key', 'utf16le'), 'is not UTF-8 text'],
    ['csv', 'a long line', `ref,key\n1,${LONG}`, 'Line 2 of'],
    ['csv', 'an open quote', 'ref,key\n1,"A\n2,B', 'Quote Not Closed'],
    ['csv', 'a short line', 'ref,key\n1\n', 'Invalid Record Length'],
    ['keygen', 'other JSON', '{"data":[null]}', 'must have pages of JSON:API'],
    ['keybox', 'other JSON', '[null]', 'must have been written by mongoexport'],
    ['csv', 'two columns of a name', 'ref,key,ref\n1,A,2\n', 'has two columns named ref'],
  ])('%s with %s is rejected with a reason', async (format, _what, content, message) => {
    await expect(rowsOf(format, content)).rejects.toThrow(message);
  });

  it('with an endless line is rejected before it is in memory', async () => {
    const file = write(Buffer.alloc(2 ** 26, 'x'));
    const reads = jest.spyOn(fs, 'createReadStream');
    await expect(all(readCanonical(file))).rejects.toThrow('is longer than 1 MiB');
    expect((reads.mock.results[0]!.value as fs.ReadStream).bytesRead).toBeLessThan(2 ** 21);
  });
});

it('progress is printed every few seconds', () => {
  const lines: string[] = [];
  const show = progress((line: string) => lines.push(line));
  for (const records of [1_000, 2_000]) show('Checked', records);
  expect(lines).toEqual(['Checked 1,000 records.']);
});

describe('npm run import', () => {
  const folder = useFolder();
  const account = 'ada@studio.example';
  const KEYS = ['C1B6DE-39A6E3-DE1529-8559A0', 'AAAAAA-BBBBBB-CCCCCC-DDDDDD'];

  it('checks, imports once, and reports each row without keys or addresses', async () => {
    const env = { ...SECRETS, DATA_DIR: path.join(folder(), 'data'), LOG_LEVEL: 'silent' };
    const write = (name: string, text: string) => {
      const file = path.join(folder(), name);
      fs.writeFileSync(file, text);
      return file;
    };
    await withStore(env, (services) => runAccountCommand(services, 'create', account));
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
    const service = own(env.DATA_DIR);
    await expect(run({})).rejects.toThrow('Another process is using the store');
    const check = await run({ check: true });
    service.release();
    expect(check.isComplete).toBe(false);
    expect(check.text).toMatch(
      /2 created\n +1 rejected\nKEY_INVALID \(key\): 1\. License key cannot .+\n {2}row 3, 9/,
    );
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
    const far = write(
      'far.csv',
      `Order,Key,Mail,Ends\n6,${KEYS[0]}Y,u6@client.example,2099-01-01\n`,
    );
    const checked = { from: 'csv', account, map, check: true } as const;
    const tooFar = await importFiles([far], checked, env);
    expect(tooFar.text).toContain('END_TOO_FAR (expiresAt): 1');
    const perpetual = await importFiles([far], { ...checked, farEnd: 'perpetual' }, env);
    expect(perpetual.text).toContain('1 created');
    const products = write(
      'products.json',
      JSON.stringify({ products: { p1: { project: 'Draw' } } }),
    );
    const rows = write('rows.ndjson', '{"product":"p1"}\n{"product":"p2"}\n{"product":"p2"}\n');
    const named = { from: 'canonical', account, map: products, check: true } as const;
    expect((await importFiles([rows], named, env)).text).toContain(
      'Products missing from the map: 1; with their rows:\n  p2: 2',
    );
    await expect(run({ account: 'eve@studio.example' })).rejects.toThrow('There is no account');
    await expect(run({ timeZone: 'Mars' })).rejects.toThrow('is not a time zone');
  });
});
