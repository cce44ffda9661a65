import { randomBytes } from 'node:crypto';
import { ModelStore } from '../../../test/contract/model-store.js';
import type { SecurityLog } from '../logging/security-log.js';
import { type DataKeys, loadDataKeys } from './data-keys.js';
import { DeploymentItems } from '../../storage/deployment-items.js';
import { DEPLOYMENT } from './deployment.js';
import { open, seal } from './sealing.js';

const KEY = Buffer.alloc(32, 'a key of this test');
const PLAIN = Buffer.from('LIC-665f1c2ab7e4a90012345678-7Q2M-X0AB-93KD');

describe('sealing', () => {
  const sealed = seal(KEY, PLAIN, 'context');

  it('unseals the stored format: nonce, ciphertext, tag', () => {
    const stored = 'AAECAwQFBgcICQoLbfTNZuMOdJE0QMfuiXoif9tsY5ez';
    expect(open(KEY, stored, 'context').toString()).toBe('plain');
  });

  it.each([0, 1, 43, 4096])('unseals %i bytes only in their own context', (length) => {
    const plain = randomBytes(length);
    const bytes = seal(KEY, plain, 'context');
    expect(open(KEY, bytes, 'context')).toEqual(plain);
    expect(() => open(KEY, bytes, 'context2')).toThrow();
  });

  it('rejects any flipped bit, and truncation to any length', () => {
    const whole = Buffer.from(sealed, 'base64url');
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const bytes = Buffer.from(whole);
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      const changed = [bytes, whole.subarray(0, bit >> 3)];
      for (const one of changed) {
        expect(() => open(KEY, one.toString('base64url'), 'context')).toThrow();
      }
    }
  });

  it('never uses a nonce twice', () => {
    const nonces = Array.from({ length: 1_000 }, () => seal(KEY, PLAIN, '').slice(0, 16));
    expect(new Set(nonces).size).toBe(1_000);
  });
});

it('Only one of 20 concurrent writers replaces a stored item, and only if it has the expected value', async () => {
  const items = new DeploymentItems(new ModelStore());
  expect(await items.replace('data-keys', 'old', 'new')).toBe(false);
  await items.findOrCreate('data-keys', () => 'old');
  expect(await items.replace('data-keys', 'something else', 'new')).toBe(false);
  const values = Array.from({ length: 20 }, (_, index) => `new ${index}`);
  const replaced = await Promise.all(
    values.map((value) => items.replace('data-keys', 'old', value)),
  );
  expect(replaced.filter(Boolean)).toHaveLength(1);
  expect(await items.find('data-keys')).toBe(values[replaced.indexOf(true)]);
});

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

  /** The keys of an instance started with these secrets. */
  async function start(licenseSecret: string, licenseSecretPrevious?: string, of = store) {
    const secrets = { licenseSecret, licenseSecretPrevious };
    return bytesOf(await loadDataKeys(new DeploymentItems(of), secrets, log));
  }

  it('are generated once if two instances start at the same time', async () => {
    const [one, other] = await Promise.all([start(FIRST), start(FIRST)]);
    expect(one).toEqual(other);
  });

  it('differ from each other, and between deployments with the same secret', async () => {
    const keys = await start(FIRST);
    const others = await start(FIRST, undefined, new ModelStore());
    const all = [keys, others].flatMap((each) => Object.values(each));
    expect(new Set(all.map((key) => key.toString('hex'))).size).toBe(6);
  });

  it('are stored only wrapped', async () => {
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
