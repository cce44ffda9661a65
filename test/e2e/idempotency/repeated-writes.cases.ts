import { readDocument, routesOf } from '../../document/openapi-document.js';
import { atOnce } from '../at-once.js';
import { type Developer, logIn, registerDeveloper } from '../developer.js';
import { everythingOf } from '../everything.js';
import { useApp } from '../use-app.js';
import { type Write, WRITES } from './writes.js';

const DAY = 24 * 60 * 60;

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

describe('A write with an idempotency key', () => {
  const app = useApp();
  let user: Developer;

  beforeEach(async () => {
    user = await registerDeveloper(app);
  });

  const send = async (
    { path, body }: Pick<Write, 'path' | 'body'>,
    { token }: Developer,
    key: string,
  ) => {
    const response = await app.post(path, body, { token, headers: { 'Idempotency-Key': key } });
    return { status: response.status, text: JSON.stringify(response.body), body: response.body };
  };
  const REUSED = {
    status: 422,
    body: { message: 'Idempotency key already used', code: 'IDEMPOTENCY_KEY_REUSED' },
  };

  it.each(Object.entries(WRITES))(
    '%s is done once for 5 requests at once and a later repeat, and not for another body',
    async (_operation, newWrite) => {
      const write = await newWrite(app, user);
      const responses = await atOnce(5, () => send(write, user, 'key of ada'));
      await write.moveOn(responses[0]!.body ?? {});
      const before = await everythingOf(app, user);
      app.clock.advance({ seconds: 10 * 60 });

      expect(responses[0]!.status).toBeLessThan(300);
      expect(responses).toEqual(Array(5).fill(responses[0]));
      expect(await send(write, user, '"key of ada"')).toEqual(responses[0]);
      const other = { ...write, body: { ...write.body, ...write.otherBody } };
      expect(await send(other, user, 'key of ada')).toMatchObject(REUSED);
      expect(await everythingOf(app, user)).toEqual(before);
    },
  );

  it('422: the key is rejected for another path', async () => {
    const { path, body: terms } = await WRITES.createLicense!(app, user);
    // Right for either path, as each drops what it does not know.
    const body = { ...terms, name: 'Acme', email: `${user._id}@acme.example` };
    const first = await send({ path, body }, user, 'once');

    expect(await send({ path: '/clients', body }, user, 'once')).toMatchObject(REUSED);
    expect(await send({ path, body }, user, 'once')).toEqual(first);
  });

  it('is remembered for 24 hours, and not longer: then another request may have the key', async () => {
    const write = await WRITES.createClient!(app, user);
    const first = await send(write, user, 'a day');
    app.clock.advance({ seconds: DAY - 0.001 });
    const again = await logIn(app, user);
    expect(await send(write, again, 'a day')).toEqual(first);
    app.clock.advance({ seconds: 0.001 });

    expect((await send({ ...write, body: write.otherBody }, again, 'a day')).status).toBe(201);
  });
});
