import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import mongoose from 'mongoose';
import { type Engine, ENGINES, newStore, SECRETS } from '../engines.js';
import type { HttpResponse } from '../http-caller.js';
import { describeInFull } from '../scope.js';
import { Operator } from './operator.js';
import type { RunningService } from './running-service.js';
import { createClient, type Developer, logIn, registerDeveloper } from '../e2e/developer.js';
import { everythingOf } from '../e2e/everything.js';

const WRITERS = 16;
const RESPONSES_BEFORE_THE_KILL = 24;
const APP_NAME = `killed-${randomUUID()}`;

describeInFull.each(ENGINES)(
  'A service on %s that is killed amid writes with idempotency keys',
  (engine) => {
    const operator = new Operator();
    afterAll(() => operator.leave());

    it('does each of them once, when they are repeated after its restart', async () => {
      const env: NodeJS.ProcessEnv = { ...SECRETS, ...newNamedStore(engine) };
      const killed = await operator.start(env);
      const ada = await registerDeveloper(killed);
      const { _id: clientId } = await createClient(killed, ada);
      const keys: string[] = [];
      const write = (service: RunningService, key: string, { token }: Developer) =>
        service.post(
          '/projects/createProject',
          { clientId, projectName: key, duration: 6, services: ['Hosting'] },
          { token, headers: { 'Idempotency-Key': key } },
        );

      const responses = new Map<string, HttpResponse>();
      let enough: () => void;
      const killing = new Promise<void>((resolve) => (enough = resolve));
      const keepWriting = async () => {
        for (;;) {
          const key = randomUUID();
          keys.push(key);
          responses.set(key, await write(killed, key, ada));
          if (responses.size === RESPONSES_BEFORE_THE_KILL) enough();
        }
      };
      const writers = Promise.allSettled(Array.from({ length: WRITERS }, keepWriting));
      await killing;
      await killed.end('SIGKILL');
      const ended = await writers;
      if (env.MONGODB_URI) await endTransactions(env.MONGODB_URI);
      expect(ended.map(({ status }) => status)).toEqual(Array(WRITERS).fill('rejected'));
      expect(keys.length - responses.size).toBe(WRITERS);

      const service = await operator.start(env);
      const again = await logIn(service, ada);
      const repeated: HttpResponse[] = [];
      for (const key of keys) repeated.push(await write(service, key, again));
      const { projects, licenses, dashboard } = await everythingOf(service, again);

      expect(repeated.map(({ status }) => status)).toEqual(keys.map(() => 201));
      expect(projects.map(({ name }) => name).sort()).toEqual([...keys].sort());
      expect(licenses).toHaveLength(keys.length);
      expect(dashboard).toMatchObject({ projectsCount: keys.length, licensesCount: keys.length });
      keys.forEach((key, i) => {
        const acknowledged = responses.get(key);
        if (acknowledged?.status === 201) expect(repeated[i]?.body).toEqual(acknowledged.body);
      });
    });
  },
);

/** A new store. On MongoDB, its URI has a name by which the server's operations of the service are found. */
function newNamedStore(engine: Engine): NodeJS.ProcessEnv {
  const { MONGODB_URI } = newStore(engine);
  if (!MONGODB_URI) return {};
  const uri = new URL(MONGODB_URI);
  uri.searchParams.set('appName', APP_NAME);
  return { MONGODB_URI: uri.href };
}

/**
 * Ends the transactions of the killed service, which the server would only abort after a minute, and waits until the
 * server runs none of its statements.
 */
async function endTransactions(uri: string): Promise<void> {
  const server = await mongoose.mongo.MongoClient.connect(uri, { appName: 'test' });
  const admin = server.db('admin');
  for (;;) {
    const left = await admin
      .aggregate([
        { $currentOp: { allUsers: true, idleConnections: true, idleSessions: true } },
        { $match: { appName: APP_NAME } },
      ])
      .toArray();
    if (left.length === 0) break;
    const sessions = left.flatMap(({ lsid }) => (lsid ? [{ id: lsid.id }] : []));
    // An empty list would kill all sessions of the server.
    if (sessions.length > 0) await admin.command({ killSessions: sessions });
    await setTimeout(20);
  }
  await server.close();
}
