import type { RefreshTokenHashes } from '../../src/auth/sessions/session.js';
import type { SessionsRepository } from '../../src/auth/sessions/sessions.repository.js';
import { newObjectId } from '../../src/shared/ids/object-id.js';
import { DAY_MS } from '../../src/shared/time/days.js';
import { aToken } from '../builders/session.builder.js';
import { at } from '../builders/time.js';

const MONTH = 30 * DAY_MS;

/** A session and its tokens as the earlier version stored them. */
export interface EarlierSession {
  readonly _id: string;
  readonly user: string;
  readonly expiresAt: Date;
  readonly tokens: readonly { tokenHash: string; expiresAt: Date; spentAt: Date | null }[];
}

export const anEarlierSession = (
  user: string,
  expiresAt: Date,
  latest: string,
  ...spent: string[]
): EarlierSession => ({
  _id: newObjectId(),
  user,
  expiresAt,
  tokens: [
    ...spent.map((tokenHash) => ({ tokenHash, expiresAt, spentAt: at(1) })),
    { tokenHash: latest, expiresAt, spentAt: null },
  ],
});

/** Declares the tests of migrated sessions that hold on both engines. */
export function declareMigratedSessions(sessions: () => SessionsRepository): void {
  const familyOf = (tokenHash: string) => ({ familyHash: `family of ${tokenHash}`, tokenHash });
  const spend = (token: RefreshTokenHashes, expiresAt: Date) => {
    const next = aToken(token);
    const rotating = sessions().rotate(token, { tokenHash: next.tokenHash, expiresAt }, at(10));
    return { next, rotating };
  };

  it('are prolonged by their latest token, for 90 days since its issue', async () => {
    const token = familyOf('latest of one');
    const { next, rotating } = spend(token, new Date(at(60).getTime() + 3 * MONTH));
    const startedAt = new Date(at(60).getTime() - MONTH);
    const expiresAt = new Date(startedAt.getTime() + 3 * MONTH);
    expect(await rotating).toMatchObject({ outcome: 'rotated', session: { startedAt, expiresAt } });
    expect(await spend(next, at(70)).rotating).toMatchObject({ outcome: 'rotated' });
    expect(await spend(token, at(70)).rotating).toMatchObject({ outcome: 'replayed' });
    expect(await spend(next, at(70)).rotating).toMatchObject({ outcome: 'unknown' });
  });

  it('reject a token that was spent before the migration', async () => {
    const { rotating } = spend(familyOf('spent of two'), at(70));
    expect(await rotating).toMatchObject({ outcome: 'unknown' });
  });

  it('are ended by their latest token', async () => {
    await sessions().end(familyOf('latest of two'));
    const { rotating } = spend(familyOf('latest of two'), at(70));
    expect(await rotating).toMatchObject({ outcome: 'unknown' });
  });
}
