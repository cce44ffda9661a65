import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { parseCertificate } from '../../sdk/node/src/certificate.js';
import { importSigningKeys, type PublicJwk } from '../../sdk/node/src/signing-keys.js';
import type { Rejection, Status } from '../../sdk/node/src/status.js';
import {
  judgeStored,
  NOTHING_STORED,
  type Received,
  withCertificate,
} from '../../sdk/node/src/stored-state.js';
import { type Program, readCertificate, verify } from '../../sdk/node/src/verify.js';

interface Arrival {
  readonly certificate: string;
  readonly isInstalled?: boolean;
}

interface Vector extends Arrival {
  readonly name: string;
  /** Certificates that arrived before. */
  readonly earlier?: readonly Arrival[];
  readonly keys: readonly PublicJwk[];
  readonly issuer: string;
  readonly product: string;
  readonly fingerprint: string;
  readonly now: number;
  readonly rememberedTime: number;
  readonly rejection: Rejection | null;
  readonly expected: Pick<Status, 'state' | 'reason'> & {
    readonly entitlements?: readonly string[];
    /** Seconds since 1970. */
    readonly until?: number;
  };
}

const text = fs.readFileSync('sdk/vectors.json', 'utf8');
const vectors = JSON.parse(text) as Vector[];

function verifyVector(vector: Vector): Status {
  const { certificate, earlier, now } = vector;
  const program = { ...vector, keys: importSigningKeys(vector.keys) };
  if (!earlier) return verify(certificate, program, vector);
  let stored = NOTHING_STORED;
  for (const arrival of [...earlier, vector]) {
    stored = withCertificate(stored, receive(arrival, program), program, now);
  }
  return judgeStored(stored, program, { now });
}

function receive({ certificate: text, isInstalled }: Arrival, program: Program): Received {
  const certificate = readCertificate(text, program);
  if ('state' in certificate) throw new Error(certificate.reason!);
  return isInstalled ? { text, certificate } : { text, certificate, key: 'a key' };
}

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
  it('by the SDK for Node', () => {
    for (const vector of vectors) {
      const { until, ...expected } = vector.expected;
      const end = until !== undefined && { until: new Date(until * 1000) };
      const { name } = vector;
      expect({ name, status: verifyVector(vector) }).toMatchObject({
        ...{ name, status: { ...expected, ...end } },
      });
    }
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
