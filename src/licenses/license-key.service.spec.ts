import crypto, { randomBytes } from 'node:crypto';
import { aLicense, aProject, at } from '../../test/builders.js';
import type { Config } from '../shared/config/config.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { meantKey } from './license-key-form.js';
import { LicenseKeyService } from './license-key.service.js';
import { activated, revoked } from './license-transitions.js';

const PROJECT = '665f1c2ab7e4a90012345678';
const LICENSE = '775f1c2ab7e4a90012345678';
const KEY = 'LIC-665F1C2AB7E4A90012345678-7Q2M-X0AB-93KD';

const newService = (keyPrefix = 'LIC') =>
  new LicenseKeyService({ keyPrefix } as Config, new DataKeys(randomBytes(96)));
const keys = newService();

describe('a generated license key', () => {
  it.each(['LIC', 'A', 'ACME202612345678'])(
    'has the specified form with prefix %s, and contains its project id',
    (prefix) => {
      const service = newService(prefix);
      const key = service.generate(PROJECT);
      expect(key).toMatch(new RegExp(`^${prefix}-${PROJECT}(-[0-9A-HJKMNP-TV-Z]{4}){3}$`));
      expect(meantKey(key)).toBe(key.toUpperCase());
      expect(service.factsOf(key.toUpperCase())).toEqual({
        keyHash: service.hash(key.toUpperCase()),
        project: PROJECT,
      });
    },
  );

  it('S11: has every character with the same probability, over a million of them, at alpha 1e-6', () => {
    // With 32 values, chance alone exceeds this once in a million runs (31 degrees of freedom).
    const critical = 83.64;
    const total = 1_000_008;
    const counts = new Map<string, number>();
    for (let left = total; left > 0; left -= 12) {
      for (const character of keys.generate(PROJECT).slice(-14).replaceAll('-', '')) {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
    const expected = total / 32;
    const deviations = [...counts.values()].map((n) => (n - expected) ** 2 / expected);
    const statistic = deviations.reduce((sum, deviation) => sum + deviation);
    process.stdout.write(
      `chi-square of ${total} key characters: ${statistic.toFixed(1)} of ${critical}\n`,
    );
    expect(counts.size).toBe(32);
    expect(statistic).toBeLessThan(critical);
  });
});

describe('a lookup', () => {
  const lookedUp = async (text: string, ...existing: string[]) => {
    const tried: string[] = [];
    const found = await keys.lookUp(text, async ({ keyHash, project }) => {
      tried.push(keyHash);
      expect(project).toBe(meantKey(text) === undefined ? null : PROJECT);
      return existing.find((key) => keys.hash(key) === keyHash) ?? null;
    });
    return [found, tried.length];
  };
  const [LETTER, DIGIT] = [KEY.replace('X0AB', 'XOAB'), KEY];

  it('tries the text as a key first, and the key it means only if no license has the first', async () => {
    expect(await lookedUp(DIGIT, DIGIT)).toEqual([DIGIT, 1]);
    expect(await lookedUp(` ${DIGIT.toLowerCase()}\n`, DIGIT)).toEqual([DIGIT, 1]);
    expect(await lookedUp(LETTER, DIGIT)).toEqual([DIGIT, 2]);
    expect(await lookedUp(`<${LETTER}>`, DIGIT)).toEqual([DIGIT, 1]);
  });

  it('finds each of two licenses whose keys look the same by its own key', async () => {
    for (const key of [LETTER, DIGIT]) {
      expect(await lookedUp(key.toLowerCase(), LETTER, DIGIT)).toEqual([key, 1]);
    }
  });

  it.each([
    ['C1B6DE-39A6E3', 'c1b6de-39a6e3', 2],
    ['aB3-xyz', '"aB3-xyz".', 1],
    ['ABC-123', 'AbC-123', 2],
    ['key/aGk=.c2ln', 'key/aGk=\r\n.c2ln', 1],
  ])('finds the imported key %j by %j', async (key, text, tried) => {
    expect(await lookedUp(text, key)).toEqual([key, tried]);
  });

  it('finds the exact one of two imported keys that differ only in case', async () => {
    expect(await lookedUp('aBc-123', 'aBc-123', 'ABC-123')).toEqual(['aBc-123', 1]);
    expect(await lookedUp('abc-123', 'aBc-123', 'ABC-123')).toEqual(['ABC-123', 2]);
  });

  it('reads no more than necessary for a text that is not a key, or an unknown key', async () => {
    expect(await lookedUp('short')).toEqual([null, 0]);
    expect(await lookedUp('nonsense')).toEqual([null, 2]);
    expect(await lookedUp(`${KEY}A`)).toEqual([null, 1]);
    expect(await lookedUp(DIGIT)).toEqual([null, 1]);
    expect(await lookedUp(`"${DIGIT}"`)).toEqual([null, 1]);
  });
});

describe('the stored forms of a license key', () => {
  it('have the same keyed hash in upper and lower case, and a different one in another deployment', () => {
    const key = KEY.replace('LIC', 'lic');
    expect(keys.store(key, LICENSE).keyHash).toBe(keys.hash(KEY));
    expect(keys.hash(KEY)).toMatch(/^[\w-]{43}$/);
    expect(keys.hash('A'.repeat(2_048))).toMatch(/^[\w-]{43}$/);
    expect(keys.hash(KEY.replace('7Q2M', '7Q2N'))).not.toBe(keys.hash(KEY));
    expect(newService().hash(KEY)).not.toBe(keys.hash(KEY));
  });

  it('seal the key, and reveal it unchanged only for this license in this deployment', () => {
    const key = keys.generate(PROJECT);
    const stored = keys.store(key, LICENSE);
    expect(JSON.stringify(stored)).not.toContain(key.slice(-14));
    expect(keys.reveal({ _id: LICENSE, ...stored })).toBe(key);
    expect(() => keys.reveal({ _id: PROJECT, ...stored })).toThrow();
    expect(() => newService().reveal({ _id: LICENSE, ...stored })).toThrow();
  });
});

it('the hash of a license key is computed once', () => {
  const computed = jest.spyOn(crypto, 'createHmac');
  const service = newService();
  expect(service.hash(KEY)).toBe(service.hash(KEY));
  expect(computed).toHaveBeenCalledTimes(1);
  computed.mockRestore();
});

it('a replacement license takes only its terms from the license it replaces', () => {
  const terms = aLicense(aProject());
  const bound = { ...activated(keys.issue(terms, at(0)), at(1)), seats: 1, leasedUntil: at(5) };
  const old = revoked(bound, 'Contract ended', at(2));
  const license = keys.issue({ ...old, replaces: old._id }, at(9));
  expect(license).toEqual({
    ...keys.issue(terms, at(9)),
    _id: expect.not.stringMatching(old._id) as string,
    keyHash: expect.not.stringMatching(old.keyHash) as string,
    sealedKey: expect.any(String) as string,
    keyHint: expect.stringMatching(/^[A-Z0-9]{4}$/) as string,
    seatsOf: license.keyHash.slice(0, 24),
    replaces: old._id,
  });
  expect(license.keyHash).toBe(keys.hash(keys.reveal(license).toUpperCase()));
});
