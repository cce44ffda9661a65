import { randomBytes } from 'node:crypto';
import { open, seal } from './sealing.js';

const KEY = Buffer.alloc(32, 'a key of this test');
const PLAIN = Buffer.from('LIC-665f1c2ab7e4a90012345678-7Q2M-X0AB-93KD');
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

describe('sealing', () => {
  const sealed = seal(KEY, PLAIN, 'context');

  it.each([0, 1, 43, 4096])('opens %i sealed bytes', (length) => {
    const plain = randomBytes(length);
    expect(open(KEY, seal(KEY, plain, 'context'), 'context')).toEqual(plain);
  });

  it('opens the stored format: nonce, ciphertext, tag', () => {
    const stored = 'AAECAwQFBgcICQoLbfTNZuMOdJE0QMfuiXoif9tsY5ez';
    expect(open(KEY, stored, 'context').toString()).toBe('plain');
  });

  it('does not open under another key', () => {
    expect(() => open(Buffer.alloc(32, 'another key'), sealed, 'context')).toThrow();
  });

  it.each(['', 'Context', 'context2'])('does not open in the context %j', (context) => {
    expect(() => open(KEY, sealed, context)).toThrow();
  });

  it('rejects every flipped bit of nonce, ciphertext or tag', () => {
    const bits = Buffer.from(sealed, 'base64url').length * 8;
    const opened = Array.from({ length: bits }, (_, bit) => bit).filter((bit) => {
      const bytes = Buffer.from(sealed, 'base64url');
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      return opens(bytes.toString('base64url'));
    });
    expect(bits).toBe((NONCE_BYTES + PLAIN.length + TAG_BYTES) * 8);
    expect(opened).toEqual([]);
  });

  it('rejects truncation to any length', () => {
    const cut = Array.from({ length: sealed.length }, (_, length) => sealed.slice(0, length));
    expect(cut.filter(opens)).toEqual([]);
  });

  it('never uses a nonce twice', () => {
    const nonces = Array.from({ length: 10_000 }, () =>
      Buffer.from(seal(KEY, PLAIN, ''), 'base64url').toString('hex', 0, NONCE_BYTES),
    );
    expect(new Set(nonces).size).toBe(10_000);
  });
});

function opens(sealed: string): boolean {
  try {
    open(KEY, sealed, 'context');
    return true;
  } catch {
    return false;
  }
}
