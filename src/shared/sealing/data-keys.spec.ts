import fs from 'node:fs';
import { useFolder } from '../../../test/use-folder.js';
import { SqliteDeploymentRepository } from '../../storage/sqlite/repositories/sqlite-deployment.repository.js';
import { SqliteStore } from '../../storage/sqlite/connection/sqlite-store.js';
import type { SecurityLog } from '../logging/security-log.js';
import { StartupError } from '../errors/startup-error.js';
import { type DataKeys, loadDataKeys } from './data-keys.js';

const FIRST = 'the-first-secret-of-this-deployment-0';
const SECOND = 'the-second-secret-of-this-deployment-';

const bytesOf = ({ lookup, sealing, machine }: DataKeys) => ({
  lookup: lookup.export(),
  sealing: sealing.export(),
  machine: machine.export(),
});

describe('the data keys of a deployment', () => {
  const folder = useFolder();
  const record = jest.fn<void, [string]>();
  const log = { record } as unknown as SecurityLog;
  beforeEach(() => record.mockReset());

  const load = (store: SqliteStore, licenseSecret: string, licenseSecretPrevious?: string) =>
    loadDataKeys(
      new SqliteDeploymentRepository(store),
      { licenseSecret, licenseSecretPrevious },
      log,
    );

  /** Starts and stops an instance with these secrets on the store of the data folder. */
  async function start(secret: string, previous?: string, dataDir = folder()) {
    const store = SqliteStore.open(dataDir);
    return bytesOf(await load(store, secret, previous).finally(() => store.close()));
  }

  it('are three different keys of 256 bits', async () => {
    const keys = Object.values(await start(FIRST));
    expect(keys.map(({ length }) => length)).toEqual([32, 32, 32]);
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(3);
  });

  it('are the same after every restart', async () => {
    const keys = await start(FIRST);
    expect(await start(FIRST)).toEqual(keys);
    expect(await start(FIRST, SECOND)).toEqual(keys);
  });

  it('are generated once where two instances start at the same time', async () => {
    const store = SqliteStore.open(folder());
    const [one, other] = await Promise.all([load(store, FIRST), load(store, FIRST)]);
    store.close();
    expect(bytesOf(one)).toEqual(bytesOf(other));
  });

  it('differ between deployments with the same secret', async () => {
    const keys = await start(FIRST);
    const others = await start(FIRST, undefined, folder('another'));
    expect(others.lookup).not.toEqual(keys.lookup);
    expect(others.sealing).not.toEqual(keys.sealing);
    expect(others.machine).not.toEqual(keys.machine);
  });

  it('fail the start with a wrong secret, and the message names the remedy', async () => {
    const keys = await start(FIRST);
    await expect(start(SECOND)).rejects.toThrow(StartupError);
    await expect(start(SECOND, 'and-a-third-one-that-is-not-it-either')).rejects.toThrow(
      /^LICENSE_SECRET does not open this store: .+ LICENSE_SECRET_PREVIOUS/,
    );
    expect(await start(FIRST)).toEqual(keys);
  });

  it('stay the same when the secret is rotated, and then unwrap only with the new one', async () => {
    const keys = await start(FIRST);
    expect(await start(SECOND, FIRST)).toEqual(keys);
    expect(await start(SECOND)).toEqual(keys);
    await expect(start(FIRST)).rejects.toThrow(StartupError);
  });

  it('S22: log a rotation of the secret once, and nothing else', async () => {
    await start(FIRST);
    await start(FIRST, SECOND);
    expect(record).not.toHaveBeenCalled();
    await start(SECOND, FIRST);
    await start(SECOND, FIRST);
    expect(record.mock.calls).toEqual([['secret_rotated']]);
  });

  it('are on disk only in wrapped form', async () => {
    const keys = Object.values(await start(FIRST));
    await start(SECOND, FIRST);
    const files = fs.readdirSync(folder()).map((file) => fs.readFileSync(folder(file)));
    const forms = keys.flatMap((key) => [
      key,
      ...(['hex', 'base64', 'base64url'] as const).map((form) => key.toString(form).slice(0, 40)),
    ]);
    expect(Buffer.concat(files).includes('data-keys')).toBe(true);
    expect(forms.filter((form) => Buffer.concat(files).includes(form))).toEqual([]);
  });
});
