import { createHash } from 'node:crypto';
import { hashRefreshToken, newRefreshToken } from './refresh-token.js';

describe('a refresh token', () => {
  it('has 256 random bits, of which its successors share the first half', () => {
    const first = newRefreshToken();
    const second = newRefreshToken(first);
    const third = newRefreshToken(second);

    for (const token of [first, second, third]) {
      expect(token).toMatch(/^[\w-]{44}$/);
      expect(token.slice(0, 22)).toBe(first.slice(0, 22));
    }
    const own = [first, second, third, newRefreshToken()].map((token) => token.slice(22));
    expect(new Set(own).size).toBe(4);
    expect(newRefreshToken().slice(0, 22)).not.toBe(first.slice(0, 22));
  });

  it('has the family hash of its predecessor, and a token hash of its own', () => {
    const first = newRefreshToken();
    const [one, next] = [hashRefreshToken(first), hashRefreshToken(newRefreshToken(first))];

    expect(next.familyHash).toBe(one.familyHash);
    expect(next.tokenHash).not.toBe(one.tokenHash);
    expect(one.tokenHash).toBe(createHash('sha256').update(first).digest('base64url'));
  });

  it('starts a family as the successor of a token of an earlier version', () => {
    const earlier = 'kZ0vKX3Yb0m4o6T2Qw8nHc5sJr1uLd9eAfGgBhViPxE';
    const next = newRefreshToken(earlier);

    expect(hashRefreshToken(next).familyHash).toBe(hashRefreshToken(earlier).familyHash);
  });
});
