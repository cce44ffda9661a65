import crypto, { randomBytes } from 'node:crypto';
import type { Config } from '../shared/config/config.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { LicenseKeyService } from './license-key.service.js';

const PROJECT = '665f1c2ab7e4a90012345678';
const LICENSE = '775f1c2ab7e4a90012345678';
const KEY = 'LIC-665F1C2AB7E4A90012345678-7Q2M-X0AB-93KD';

const newService = (keyPrefix = 'LIC') =>
  new LicenseKeyService({ keyPrefix } as Config, new DataKeys(randomBytes(96)));
const keys = newService();

describe('a generated license key', () => {
  it.each(['LIC', 'A', 'ACME202612345678'])(
    'has the form of the specification, with prefix %s',
    (prefix) => {
      expect(newService(prefix).generate(PROJECT)).toMatch(
        new RegExp(`^${prefix}-${PROJECT}-[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}$`),
      );
    },
  );

  it('can be parsed', () => {
    const key = keys.generate(PROJECT);
    expect(keys.parse(key)).toBe(key.toUpperCase());
  });

  it.each(['LIC', 'A', 'ACME202612345678'])('names its project after the prefix %s', (prefix) => {
    const service = newService(prefix);
    expect(service.projectOf(service.parse(service.generate(PROJECT))!)).toBe(PROJECT);
  });

  it('S11: has every character with the same probability, over a million of them, at alpha 1e-6', () => {
    // With 36 values, chance alone exceeds this once in a million runs (35 degrees of freedom).
    const critical = 89.95;
    const characters = 1_000_000;
    const counts = new Map<string, number>();
    for (let left = characters; left > 0; left -= 12) {
      for (const character of keys.generate(PROJECT).slice(-14).replaceAll('-', '')) {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
    const total = [...counts.values()].reduce((sum, count) => sum + count);
    const expected = total / 36;
    const statistic = [...counts.values()].reduce(
      (sum, n) => sum + (n - expected) ** 2 / expected,
      0,
    );
    process.stdout.write(
      `chi-square of ${total} key characters: ${statistic.toFixed(1)} of ${critical}\n`,
    );
    expect(counts.size).toBe(36);
    expect(total).toBeGreaterThanOrEqual(characters);
    expect(statistic).toBeLessThan(critical);
  });
});

describe('parsing a license key', () => {
  it.each([KEY, KEY.toLowerCase(), `  ${KEY}\n`, KEY.replace('LIC', 'lic')])(
    'normalizes %j',
    (key) => {
      expect(keys.parse(key)).toBe(KEY);
    },
  );

  it('accepts keys of every prefix, so that a new KEY_PREFIX invalidates none', () => {
    expect(keys.parse(KEY.replace('LIC', 'OLD1'))).toBe(KEY.replace('LIC', 'OLD1'));
  });

  it.each([
    '',
    'LIC',
    KEY.slice(0, -1),
    // Letters whose upper case is one or two ASCII letters.
    KEY.replace('LIC', 'l\u0131c'),
    KEY.replace('7Q2M', '7Q\u00DF'),
    KEY.replace('7Q2M', '7Q2\u017F'),
    `${KEY}A`,
    `${KEY}-7Q2M`,
    KEY.replace('LIC', ''),
    KEY.replace('LIC', 'A2345678901234567'),
    KEY.replace('665F', '665G'),
    KEY.replaceAll('-', ''),
    KEY.replaceAll('-', ' '),
    KEY.replaceAll('-', '–'),
    KEY.replace('7Q2M', '7Q2!'),
    KEY.replace('7Q2M', '７Ｑ２Ｍ'),
    KEY.replace('7Q2M', '7Q\u00002'),
    KEY.replace('7Q2M', '7Q2\ud83d'),
    `${KEY}\n${KEY}`,
    `x${KEY}`.repeat(400),
    '{"$ne":null}',
    "' OR 1=1 --",
  ])('rejects %j', (key) => {
    expect(keys.parse(key)).toBeUndefined();
  });
});

describe('the stored forms of a license key', () => {
  it('have the same keyed hash in upper and lower case, and another in another deployment', () => {
    const key = KEY.replace('LIC', 'lic');
    expect(keys.store(key, LICENSE).keyHash).toBe(keys.hash(KEY));
    expect(keys.hash(KEY)).toMatch(/^[\w-]{43}$/);
    expect(keys.hash(KEY.replace('7Q2M', '7Q2N'))).not.toBe(keys.hash(KEY));
    expect(newService().hash(KEY)).not.toBe(keys.hash(KEY));
  });

  it('seal the key, and reveal it as it was generated', () => {
    const key = keys.generate(PROJECT);
    const stored = keys.store(key, LICENSE);
    expect(JSON.stringify(stored)).not.toContain(key.slice(-14));
    expect(keys.reveal({ _id: LICENSE, ...stored })).toBe(key);
  });

  it('cannot be unsealed for another license, nor in another deployment', () => {
    const stored = keys.store(KEY, LICENSE);
    expect(() => keys.reveal({ _id: PROJECT, ...stored })).toThrow();
    expect(() => newService().reveal({ _id: LICENSE, ...stored })).toThrow();
  });
});

describe('the hashes of license keys', () => {
  it('are computed once, and the 20,000 most recently used are cached', () => {
    const computed = jest.spyOn(crypto, 'createHmac');
    const service = newService();
    const hashOthers = (number: number, name: string) => {
      for (let index = 0; index < number; index++) service.hash(`${name} ${index}`);
    };
    service.hash(KEY);
    hashOthers(19_999, 'key');
    service.hash(KEY);
    expect(computed).toHaveBeenCalledTimes(20_000);
    hashOthers(20_000, 'other key');
    service.hash(KEY);
    expect(computed).toHaveBeenCalledTimes(40_001);
    computed.mockRestore();
  });
});
