import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { VECTORS } from './vector-driver.js';

describe('S15: sdk/vectors.json', () => {
  it('is what its generator writes', () => {
    const written = execFileSync(process.execPath, ['sdk/vectors/generate.mjs'], {
      encoding: 'utf8',
    });
    expect(written).toBe(fs.readFileSync('sdk/vectors.json', 'utf8'));
  });

  it('reaches every state and reason of a certificate', () => {
    const reached = new Set(VECTORS.flatMap(({ expected }) => [expected.state, expected.reason]));
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
