import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { VECTORS } from './vector-driver.js';

it.each(['vectors', 'scenarios'])('sdk/%s.json is what its generator writes', (name) => {
  const written = execFileSync(process.execPath, [`sdk/${name}/generate.mjs`], {
    encoding: 'utf8',
  });
  expect(written).toBe(fs.readFileSync(`sdk/${name}.json`, 'utf8'));
});

it('S15: the vectors reach every state and reason of a certificate', () => {
  const reached = new Set(VECTORS.flatMap(({ expected }) => [expected.state, expected.reason]));
  expect([...reached].sort()).toEqual(
    [
      ...['valid', null, 'damaged', 'format', 'header', 'key', 'signature', 'issuer', 'claims'],
      ...['other_product', 'product', 'other_machine', 'machine', 'revoked', 'expired'],
      ...['suspended', 'lease_ended', 'rejected', 'clock', 'issued_in_future', 'clock_set_back'],
      ...['license_expired', 'ended', 'certificate_ended'],
    ].sort(),
  );
});
