import { AccountKeys } from '../../../src/certificates/signing-keys/account-keys.service.js';
import { KeyPairs } from '../../../src/certificates/signing-keys/key-pairs.service.js';
import { toAccountId } from '../../../src/shared/ids/account-id.js';
import { contentOf } from '../stored-content.js';
import { useApp, useDeveloper } from '../use-app.js';
import { signingKeysOf } from './verify-certificate.js';

// Beside this, every e2e test searches its logs and responses for private keys: test/watched-key-pairs.ts.
describe('S17: private signing keys', () => {
  const app = useApp();
  const ada = useDeveloper(app);

  it('are stored sealed', async () => {
    await signingKeysOf(app, ada);
    const { issuer, current, next } = (await app.nest.get(AccountKeys).of(toAccountId(ada._id)))!;
    const call = { ...ada, headers: { 'Idempotency-Key': 'a rotation' } };
    await app.post('/signing-keys/rotate', { current: current.kid }, call);
    const content = contentOf(app);

    for (const text of [current.kid, next.sealedSeed]) expect(content).toContain(text);
    for (const key of [current, next]) {
      const seed = app.nest.get(KeyPairs).open(issuer, key);
      expect(seed).toHaveLength(32);
      for (const form of ['base64url', 'base64', 'hex', 'latin1'] as const) {
        expect(content.includes(seed.toString(form))).toBe(false);
      }
    }
  });
});
