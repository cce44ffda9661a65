import fs from 'node:fs';
import { exportAccount, importAccount, MOVED } from '../../../src/cli/account-move.js';
import { toPortable } from '../../../src/cli/portable-records.js';
import { withStore } from '../../../src/cli/with-store.js';
import { MACHINE_KEYS } from '../../../src/machines/machine-key.js';
import type { Stored } from '../../../src/storage/collection.js';
import { Store } from '../../../src/storage/store.js';
import { TestApp } from '../../app.js';
import { useCheapScrypt } from '../../cheap-scrypt.js';
import { EVERY_ENGINE, newStore, SECRETS } from '../../engines.js';
import { useFolder } from '../../use-folder.js';
import {
  challengeOf,
  nextCode,
  PUBLIC_URL,
  withPasskey,
  withTotp,
} from '../auth/second-factors.js';
import { LAPTOP, PASSWORD } from '../developer.js';
import { everythingOf } from '../everything.js';
import { aRow, importInto } from '../imports/rows.js';
import { createWorld } from '../security/world.js';

const PASSPHRASE = 'a passphrase of the tests';

describe('An account that moves to another deployment', () => {
  useCheapScrypt();
  const folder = useFolder();
  const ask = async () => PASSPHRASE;

  /** A deployment with its own secret. */
  const deployment = (name: string, engine = EVERY_ENGINE[0]!) => {
    const DATA_DIR = folder(name);
    fs.mkdirSync(DATA_DIR);
    const LICENSE_SECRET = `${SECRETS.LICENSE_SECRET}-${name}`;
    const env = { ...SECRETS, LOG_LEVEL: 'silent', DATA_DIR, LICENSE_SECRET, ...newStore(engine) };
    return { env, start: (own = {}) => TestApp.start(engine, { ...env, ...own }) };
  };

  const exportTo = (file: string, email: string, env: NodeJS.ProcessEnv) =>
    withStore(env, (services) => exportAccount(services, file, email, ask));
  const importFrom = (file: string, env: NodeJS.ProcessEnv, passphrase = ask) =>
    withStore(env, (services) => importAccount(services, file, passphrase));

  /** The stored records of an account; seats are named by their license, not by the hash of its key. */
  const recordsOf = (env: NodeJS.ProcessEnv, account: string) =>
    withStore(env, async (services) => {
      const groups = new Map<unknown, unknown>();
      const found: object[] = [];
      for (const collection of MOVED.filter((one) => one !== MACHINE_KEYS)) {
        const all: (Stored & Record<string, unknown>)[] = await services
          .get(Store)
          .list(collection, {}, { by: '_id', direction: 'asc' }, { limit: 10_000 });
        for (const record of all.filter((one) => one[collection.account!] === account)) {
          const portable = toPortable(services, collection.name, record);
          if (portable.seatsOf) groups.set(portable.seatsOf, portable._id);
          const isMachine = collection.name === 'machines';
          const seats = isMachine && { _id: '', license: groups.get(record.license) };
          const { version: _version, keyHash: _keyHash, ...fields } = portable;
          found.push({ ...fields, ...('seatsOf' in fields && { seatsOf: '' }), ...seats });
        }
      }
      return found;
    });

  it('has the same records, except sessions, and its machines are recognized, from SQLite to MongoDB and back', async () => {
    const chain = [
      deployment('first'),
      deployment('second', EVERY_ENGINE.at(-1)),
      deployment('third'),
    ] as const;
    let app = await chain[0].start();
    const { user, license, webhook } = await createWorld(app);
    await app.register();
    const row = aRow();
    expect((await importInto(app, user, [row])).body.totals).toMatchObject({ created: 1 });
    const read = async () => {
      const session = await app.logIn({ email: user.email, password: PASSWORD } as never);
      const call = { ...user, token: session.token };
      return { call, all: await everythingOf(app, call) };
    };
    const before = await read();
    const records = await recordsOf(chain[0].env, user._id);
    expect(records.length).toBeGreaterThan(20);
    await app.stop();
    for (const [index, { env }] of chain.slice(1).entries()) {
      const file = folder(`${index}.account`);
      const exported = await exportTo(file, user.email, chain[index]!.env);
      expect(exported).toMatch(new RegExp(`^\\d+ records of the account ${user.email}`));
      expect(fs.readFileSync(file, 'utf8')).not.toContain(user.email);
      expect(await importFrom(file, env)).toContain(user.email);
      expect(await recordsOf(env, user._id)).toEqual(records);
      await expect(importFrom(file, env)).rejects.toThrow('already exists');
    }
    app = await chain[1].start();
    expect(await app.validationOf(license, LAPTOP)).toBe('active');
    expect(await app.validationOf(license, 'another-machine')).not.toBe('active');
    const after = await read();
    expect(JSON.stringify(after.all)).toBe(JSON.stringify(before.all));
    expect((await importInto(app, after.call, [row])).body.totals).toMatchObject({ same: 1 });
    expect((await app.get(`/webhooks/${webhook._id}`, after.call)).status).toBe(200);
    await app.stop();
  });

  it('keeps second factors, and is rejected if a password would be enough afterwards', async () => {
    const [source, target] = [deployment('source'), deployment('target')];
    let app = await source.start({ PUBLIC_URL });
    const [ada, bob] = [await app.register(), await app.register()];
    const { secret } = await withTotp(app, ada);
    const { passkey } = await withPasskey(app, bob);
    await app.stop();
    const files = [folder('ada'), folder('bob')] as const;
    await exportTo(files[0], ada.email, source.env);
    await exportTo(files[1], bob.email, source.env);
    const load = (file: string, url?: string) =>
      importFrom(file, { ...target.env, PUBLIC_URL: url });
    expect(await load(files[0])).toContain('need new recovery codes');
    for (const url of [undefined, 'https://elsewhere.example']) {
      await expect(load(files[1], url)).rejects.toThrow('passkey for licenses.example.com');
    }
    await load(files[1], PUBLIC_URL);
    app = await target.start({ PUBLIC_URL });
    const { challenge, factors } = await challengeOf(app, ada);
    expect(factors).toEqual(['totp']);
    const code = nextCode(secret, app);
    expect((await app.post('/auth/login/factor', { challenge, code })).status).toBe(200);
    const { passkeyOptions, ...due } = await challengeOf(app, bob);
    expect(due.factors).toEqual(['passkey']);
    const response = passkey.get(passkeyOptions);
    const proof = { challenge: due.challenge, response };
    expect((await app.post('/auth/login/factor', proof)).status).toBe(200);
    await app.stop();
  });

  it('is rejected with a wrong passphrase, or from a file that was cut or reordered, and stores nothing', async () => {
    const source = deployment('source');
    const app = await source.start();
    const user = await app.register();
    await app.createLicense(user);
    const file = folder('account');
    await exportTo(file, user.email, source.env);
    await app.stop();
    const target = deployment('target');
    const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n');
    const write = (kept: readonly string[]) => {
      const other = folder(`account-${kept.length}-${String(kept[1]).length}`);
      fs.writeFileSync(other, `${kept.join('\n')}\n`);
      return other;
    };
    const wrong = 'The passphrase is wrong, or the file is damaged.';
    for (const [name, message, answer] of [
      [file, wrong, 'another passphrase'],
      [write(lines.slice(0, -1)), 'The file is incomplete.', PASSPHRASE],
      [write(lines.toSpliced(1, 1)), wrong, PASSPHRASE],
      [write([lines[0]!, lines[2]!, lines[1]!, ...lines.slice(3)]), wrong, PASSPHRASE],
      [write(['{}']), 'is not an export of this service', PASSPHRASE],
    ] as const) {
      const imported = importFrom(name, target.env, async () => answer);
      await expect(imported).rejects.toThrow(message);
    }
    expect(await recordsOf(target.env, user._id)).toEqual([]);
    await importFrom(file, target.env);
  });
});
