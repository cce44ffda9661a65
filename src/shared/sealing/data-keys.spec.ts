import { ModelStore } from '../../../test/contract/model-store.js';
import type { SecurityLog } from '../logging/security-log.js';
import { StartupError } from '../errors/startup-error.js';
import { type DataKeys, loadDataKeys } from './data-keys.js';
import { DEPLOYMENT } from './deployment.js';
import { DeploymentItems } from './deployment-items.js';

const FIRST = 'the-first-secret-of-this-deployment-0';
const SECOND = 'the-second-secret-of-this-deployment-';

const bytesOf = ({ lookup, sealing, machine }: DataKeys) => ({
  lookup: lookup.export(),
  sealing: sealing.export(),
  machine: machine.export(),
});

describe('the data keys of a deployment', () => {
  const record = jest.fn<void, [string]>();
  const log = { record } as unknown as SecurityLog;
  let store: ModelStore;
  beforeEach(() => {
    record.mockReset();
    store = new ModelStore();
  });

  /** The keys of an instance that starts with these secrets. */
  async function start(licenseSecret: string, licenseSecretPrevious?: string, of = store) {
    const secrets = { licenseSecret, licenseSecretPrevious };
    return bytesOf(await loadDataKeys(new DeploymentItems(of), secrets, log));
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
    const [one, other] = await Promise.all([start(FIRST), start(FIRST)]);
    expect(one).toEqual(other);
  });

  it('differ between deployments with the same secret', async () => {
    const keys = await start(FIRST);
    const others = await start(FIRST, undefined, new ModelStore());
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

  it('are stored only in wrapped form', async () => {
    const keys = Object.values(await start(FIRST));
    await start(SECOND, FIRST);
    const { value } = store.all(DEPLOYMENT)[0]!;
    const stored = Buffer.concat([Buffer.from(value), Buffer.from(value, 'base64url')]);
    const forms = keys.flatMap((key) => [
      key,
      ...(['hex', 'base64', 'base64url'] as const).map((form) => key.toString(form).slice(0, 40)),
    ]);
    expect(forms.filter((form) => stored.includes(form))).toEqual([]);
  });
});
