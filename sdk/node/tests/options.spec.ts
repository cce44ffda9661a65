import { License } from '../src/license.js';
import { Customer } from '../../../test/sdk/customer.js';
import { CURRENT } from '../../../test/sdk/issuer.js';

const { options } = new Customer();
const { jwk } = CURRENT;

const construct = (changes: object) => () => new License({ ...options, ...changes });

/** Values that TypeScript rejects but JavaScript allows. `sdk/scenarios.json` has texts of every kind, and other keys. */
const WRONG: [string, ...unknown[]][] = [
  ['service', undefined, new URL('https://licenses.example')],
  ['issuer', undefined, 1],
  ['product', undefined, 1],
  ['folder', undefined, 1],
  ['fingerprint', null, 1],
  ['machineName', null, 1],
  ['allowRandomId', 'true', 1, null],
  ['fetch', 'fetch', null, {}],
  ['timeout', 0, NaN, Infinity, 1.5, 600_001, '5000', null],
  ['fingerPrint', 'a'.repeat(16)],
  ['toString', 1],
  ['keys', undefined, jwk, { current: jwk }, 'keys'],
];

describe('constructing a license', () => {
  it.each(WRONG)('names the wrong option: %s', (name, ...values) => {
    for (const value of values) expect(construct({ [name]: value })).toThrow(wrong(name));
  });

  it.each([undefined, null, 1])('fails for the options %p', (value) => {
    expect(() => new License(value as never)).toThrow(wrong('service'));
  });

  it('names the key that is null, or the same under another kid', () => {
    for (const key of [null, { ...jwk, kid: 'next' }]) {
      expect(construct({ keys: [jwk, key] })).toThrow(wrong('keys[1]'));
    }
  });

  it.each<object>([
    { fingerprint: undefined, timeout: undefined, now: undefined, machineName: undefined },
    { allowRandomId: false, fetch },
    { timeout: 1 },
    { timeout: 600_000 },
  ])('accepts %j', (changes) => {
    expect(construct(changes)).not.toThrow();
  });
});

function wrong(name: string): Error {
  const pattern = new RegExp(`^${name.replace(/[[\]]/g, '\\$&')} .+\\.$`);
  const message = expect.stringMatching(pattern) as string;
  return expect.objectContaining({ name: 'LicenseError', code: 'option', message }) as Error;
}
