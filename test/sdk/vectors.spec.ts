import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { parseCertificate } from '../../sdk/node/src/certificate.js';
import { importSigningKeys, type PublicJwk } from '../../sdk/node/src/signing-keys.js';
import type { Rejection, Status } from '../../sdk/node/src/status.js';
import { verify } from '../../sdk/node/src/verify.js';

interface Vector {
  readonly name: string;
  readonly certificate: string;
  readonly keys: readonly PublicJwk[];
  readonly issuer: string;
  readonly product: string;
  readonly fingerprint: string;
  readonly now: number;
  readonly rememberedTime: number;
  readonly rejection: Rejection | null;
  readonly expected: Pick<Status, 'state' | 'reason'> & Partial<Status>;
}

const text = fs.readFileSync('sdk/vectors.json', 'utf8');
const vectors = JSON.parse(text) as Vector[];

const verifyVector = ({ certificate, keys, ...rest }: Vector) =>
  verify(certificate, { ...rest, keys: importSigningKeys(keys) }, rest);

describe('S15: sdk/vectors.json', () => {
  it('is what its generator writes', () => {
    const written = execFileSync(process.execPath, ['sdk/vectors/generate.mjs'], {
      encoding: 'utf8',
    });
    expect(written).toBe(text);
  });

  it('reaches every state and reason of a certificate', () => {
    const reached = new Set(vectors.flatMap(({ expected }) => [expected.state, expected.reason]));
    expect([...reached].sort()).toEqual(
      [
        ...['valid', null, 'damaged', 'format', 'header', 'key', 'signature', 'issuer', 'claims'],
        ...['other_product', 'product', 'other_machine', 'machine', 'revoked', 'expired'],
        ...['suspended', 'lease_ended'],
        ...['rejected', 'clock', 'issued_in_future', 'clock_set_back', 'license_expired'],
        ...['ended', 'certificate_ended'],
      ].sort(),
    );
  });
});

describe('S15: a text that is longer than every certificate', () => {
  it('is rejected before it is decoded', () => {
    const decode = jest.spyOn(Buffer, 'from');
    const text = '.'.repeat(1_000_000);
    expect(parseCertificate(text, { issuer: '', keys: new Map() })).toBe('format');
    expect(decode).not.toHaveBeenCalled();
    decode.mockRestore();
  });
});

describe('S15: a certificate is judged as its vector expects', () => {
  it.each(vectors.map((vector) => [vector.name, vector] as const))('%s', (_name, vector) => {
    expect(verifyVector(vector)).toMatchObject(vector.expected);
  });

  it('with `until` for a valid or ended certificate, services and entitlements for a valid one only', () => {
    for (const vector of vectors) {
      const { state, reason, until, services, entitlements } = verifyVector(vector);
      const isOver = reason === 'license_expired' || reason === 'certificate_ended';
      expect([vector.name, until !== null]).toEqual([vector.name, state === 'valid' || isOver]);
      if (state !== 'valid') expect([...services, ...entitlements]).toEqual([]);
      if (until)
        expect([vector.name, until.getTime() <= vector.now * 1000]).toEqual([vector.name, isOver]);
    }
  });
});
