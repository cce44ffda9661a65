import crypto from 'node:crypto';
import fs from 'node:fs';
import { useCheapScrypt } from '../../test/cheap-scrypt.js';
import { useFolder } from '../../test/use-folder.js';
import { keyOfFile, type Part, readAccountFile, writeAccountFile } from './account-file.js';

const PARTS: Part[] = [{ collection: 'plans', records: [{ name: 'Solo', at: new Date(0) }] }];

// test/e2e/access/moves.cases.ts reads files that are damaged, and with a wrong passphrase.
describe('the file of an export', () => {
  useCheapScrypt();
  const folder = useFolder();
  const file = () => folder('export');

  const write = async (passphrase: string) => {
    await writeAccountFile(file(), passphrase, PARTS);
    return fs.readFileSync(file(), 'utf8');
  };
  const read = async (passphrase: string) => {
    const key = await keyOfFile(file(), async () => passphrase);
    const parts: Part[] = [];
    for await (const part of readAccountFile(file(), key)) parts.push(part);
    return parts;
  };

  it('differs each time, encrypted at 128 MB per guess, and opens with the passphrase in any Unicode form', async () => {
    const passphrase = 'straßenkäfig\u00e9';
    expect(await write(passphrase)).not.toBe(await write(passphrase));
    const cost = expect.objectContaining({ N: 2 ** 17, r: 8 }) as object;
    expect(crypto.scryptSync).toHaveBeenCalledWith(passphrase, expect.any(Buffer), 32, cost);
    expect(fs.readFileSync(file(), 'utf8')).not.toContain('Solo');
    expect(await read('straßenkäfige\u0301')).toEqual(PARTS);
  });

  it.each(['', 'null', '[]', '{"format":"backup"}', '{"salt":null}'])(
    'cannot be %j',
    async (text) => {
      fs.writeFileSync(file(), text);
      await expect(read('any')).rejects.toThrow('is not an export of this service');
    },
  );
});
