import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
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
  let dataDir: string;
  const record = jest.fn<void, [string]>();
  const log = { record } as unknown as SecurityLog;

  beforeEach(() => {
    record.mockReset();
    dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'data-keys-'));
  });
  afterEach(() => fs.rmSync(dataDir, { recursive: true }));

  /** Starts a deployment on the store in the folder, as often as a test likes. */
  async function start(licenseSecret: string, licenseSecretPrevious?: string) {
    const store = SqliteStore.open(dataDir);
    const secrets = { licenseSecret, licenseSecretPrevious };
    const keys = loadDataKeys(new SqliteDeploymentRepository(store), secrets, log).finally(() => {
      store.close();
    });
    return bytesOf(await keys);
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

  it('are generated once, by the instance that starts first', async () => {
    const store = SqliteStore.open(dataDir);
    const secrets = { licenseSecret: FIRST, licenseSecretPrevious: undefined };
    const instances = [0, 1].map(() =>
      loadDataKeys(new SqliteDeploymentRepository(store), secrets, log),
    );
    const [one, other] = await Promise.all(instances);
    store.close();
    expect(bytesOf(one!)).toEqual(bytesOf(other!));
  });

  it('differ between deployments with the same secret', async () => {
    const keys = await start(FIRST);
    fs.rmSync(dataDir, { recursive: true });
    const others = await start(FIRST);
    expect(others.lookup).not.toEqual(keys.lookup);
    expect(others.sealing).not.toEqual(keys.sealing);
    expect(others.machine).not.toEqual(keys.machine);
  });

  it('fail the start with another secret, with a sentence that names the remedy', async () => {
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
    const files = fs.readdirSync(dataDir).map((file) => fs.readFileSync(path.join(dataDir, file)));
    const forms = keys.flatMap((key) => [
      key,
      ...(['hex', 'base64', 'base64url'] as const).map((form) => key.toString(form).slice(0, 40)),
    ]);
    expect(Buffer.concat(files).includes('data-keys')).toBe(true);
    expect(forms.filter((form) => Buffer.concat(files).includes(form))).toEqual([]);
  });
});
