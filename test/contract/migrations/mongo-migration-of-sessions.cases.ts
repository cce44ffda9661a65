import { mongo } from 'mongoose';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { at } from '../../builders/time.js';
import {
  anEarlierSession,
  declareMigratedSessions,
  type EarlierSession,
} from '../earlier-sessions.js';
import { describeOnMongo } from '../../engines.js';
import { useMigratedDatabase } from '../use-migrated-database.js';

const recordsOf = ({ _id, user, expiresAt, tokens }: EarlierSession) => ({
  session: { _id: new mongo.ObjectId(_id), user: new mongo.ObjectId(user), expiresAt },
  tokens: tokens.map((token) => ({ session: new mongo.ObjectId(_id), ...token })),
});

describeOnMongo('sessions of a database of an earlier version', () => {
  const [user, crowded] = [newObjectId(), newObjectId()];
  const earlier = [
    anEarlierSession(user, at(60), 'latest of one', 'spent', 'spent 2'),
    anEarlierSession(user, at(61), 'latest of two', 'spent of two'),
    { ...anEarlierSession(user, at(62), ''), tokens: [] },
    ...Array.from({ length: 103 }, (_, i) =>
      anEarlierSession(crowded, at(100 + i), `crowded ${i}`),
    ),
  ].map(recordsOf);

  const done = ['life-of-a-license', 'search-emails'];
  const { store, migrateAgain } = useMigratedDatabase(done, async (connection) => {
    await connection.collection('sessions').insertMany(earlier.map(({ session }) => session));
    const tokens = connection.collection('refresh_tokens');
    await tokens.insertMany(earlier.flatMap((one) => one.tokens));
  });

  const endsOf = async (of: string) => {
    const found = store.collection('sessions').find({ user: new mongo.ObjectId(of) });
    const sessions = await found.sort({ expiresAt: 1 }).toArray();
    return sessions.map(({ expiresAt }) => expiresAt as Date);
  };

  it('are unchanged, but for those without a token and all but the newest 100 of an account', async () => {
    expect(await endsOf(user)).toStrictEqual([at(60), at(61)]);
    const ends = await endsOf(crowded);
    expect(ends).toHaveLength(100);
    expect(ends[0]).toStrictEqual(at(103));
    expect(await store.collection('refresh_tokens').countDocuments()).toBe(0);
  });

  it('are migrated completely after an interruption', async () => {
    const before = await store.collection('sessions').find().toArray();
    await migrateAgain('families-of-sessions');
    expect(await store.collection('sessions').find().toArray()).toStrictEqual(before);
  });

  declareMigratedSessions(() => store.sessions);
});
