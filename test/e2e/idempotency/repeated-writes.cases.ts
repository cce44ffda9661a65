import { readDocument, routesOf } from '../../document/openapi-document.js';
import { ENGINES } from '../../engines.js';
import { atOnce } from '../at-once.js';
import { type Developer, logIn, registerDeveloper } from '../developer.js';
import { everythingOf } from '../everything.js';
import { useApp } from '../use-app.js';
import { type Write, WRITES } from './writes.js';

const HOUR = 60 * 60;

it('Every authenticated POST accepts an idempotency key, and has its cases here', () => {
  const posts = routesOf(readDocument()).filter(
    ({ method, operation }) => method === 'POST' && operation.security?.length,
  );
  const keyed = posts.filter(({ operation }) =>
    operation.parameters?.some(({ name }) => name === 'Idempotency-Key'),
  );
  const idsOf = (routes: typeof posts) =>
    routes.map(({ operation }) => String(operation.operationId)).sort();

  expect(idsOf(keyed)).toEqual(idsOf(posts));
  expect(idsOf(keyed)).toEqual(Object.keys(WRITES).sort());
});

describe.each(ENGINES)('A write with an idempotency key on %s', (engine) => {
  const app = useApp(engine);

  const send = async (
    { path, body }: Pick<Write, 'path' | 'body'>,
    user: Developer,
    key: string,
  ) => {
    const { token } = user;
    const response = await app.post(path, body, { token, headers: { 'Idempotency-Key': key } });
    return {
      status: response.status,
      text: JSON.stringify(response.body),
      body: response.body ?? {},
    };
  };

  describe.each(Object.entries(WRITES))('%s', (_operation, newWrite) => {
    let user: Developer;
    let write: Write;

    beforeEach(async () => {
      user = await registerDeveloper(app);
      write = await newWrite(app, user);
    });

    it('is done once, and gets the first response again after the state has changed', async () => {
      const first = await send(write, user, 'key of ada');
      expect(first.status).toBeLessThan(300);
      const repeated = await send(write, user, 'key of ada');
      await write.moveOn(first.body);
      const before = await everythingOf(app, user);
      app.clock.advance({ seconds: 10 * 60 });
      const late = await send(write, user, '"key of ada"');

      expect(repeated).toEqual(first);
      expect(late).toEqual(first);
      expect(await everythingOf(app, user)).toEqual(before);
    });

    it('is done once for 20 concurrent requests, and each gets the same response', async () => {
      const responses = await atOnce(20, () => send(write, user, 'twins'));
      const another = await registerDeveloper(app);
      const other = await newWrite(app, another);
      await send(other, another, 'twins');

      expect(responses[0]!.status).toBeLessThan(300);
      expect(responses).toEqual(Array(20).fill(responses[0]));
      expect(await outlineOf(user)).toEqual(await outlineOf(another));
    });

    it('422: the key is rejected for another body and for another path', async () => {
      // Right for either path, as each drops what it does not know.
      const body = {
        ...{ name: 'Other', email: `${user._id}@other.example` },
        ...{ clientId: user._id, projectName: 'Other', duration: 1, services: ['Domain'] },
        ...write.body,
      };
      const otherPath = write.path === '/clients' ? '/projects/createProject' : '/clients';
      const first = await send({ ...write, body }, user, 'once');
      const before = await everythingOf(app, user);
      const rejected = [
        await send({ ...write, body: { ...body, ...write.otherBody } }, user, 'once'),
        await send({ path: otherPath, body }, user, 'once'),
      ];

      for (const response of rejected) {
        expect(response.status).toBe(422);
        expect(response.body).toMatchObject({
          message: 'Idempotency key already used',
          code: 'IDEMPOTENCY_KEY_REUSED',
        });
      }
      expect(await everythingOf(app, user)).toEqual(before);
      expect(await send({ ...write, body }, user, 'once')).toEqual(first);
    });

    it("gets no response of another user's request with the same key", async () => {
      const another = await registerDeveloper(app);
      const other = await newWrite(app, another);
      const first = await send(write, user, 'same key');
      const second = await send(other, another, 'same key');

      expect(second.status).toBe(first.status);
      if (first.text) expect(second.text).not.toBe(first.text);
      expect(await send(other, another, 'same key')).toEqual(second);
    });

    it('is remembered for 24 hours, and not longer', async () => {
      const first = await send(write, user, 'a day');
      app.clock.advance({ seconds: 24 * HOUR - 0.001 });
      const again = await logIn(app, user, passwordAfter(write));
      expect(await send(write, again, 'a day')).toEqual(first);
      app.clock.advance({ seconds: 0.001 });
      // The key is free: another request may have it.
      const free = await send({ ...write, body: write.otherBody }, again, 'a day');

      expect(free.body.code).not.toBe('IDEMPOTENCY_KEY_REUSED');
    });
  });

  const passwordAfter = ({ body }: Write) => (body as { newPassword?: string }).newPassword;

  /** How many records a user has of each kind, and in which state. */
  async function outlineOf(user: Developer) {
    const { dashboard, projects, licenses, events, keySet } = await everythingOf(app, user);
    return {
      clients: dashboard.clientsCount,
      projects: projects.length,
      licenses: licenses.map(({ status, expiresAt }) => `${status} ${expiresAt}`).sort(),
      events: events.map((all) => all.map(({ type }) => type)).sort(),
      keys: keySet.keys.length,
    };
  }
});
