import { TestApp } from '../../app.js';
import { EVERY_ENGINE } from '../../engines.js';
import { copyRecordedStore, type Entry, readRecording } from './recorded-store.js';

/** What is said in other words since. */
const RENAMED = [
  ['activation_refused', 'activation_rejected'],
  [': there is nothing to renew yet', ''],
  ['at most 120 months', 'at most 3,660 days'],
] as const;

/** Takes the account's password since. */
const ROTATE = '/signing-keys/rotate';

describe.each(EVERY_ENGINE)('a store of 0.5 on %s', (engine) => {
  const { now, environment, passwords, leftOut, entries } = readRecording(engine);
  let app: TestApp;
  const tokens = new Map<string, string>();

  beforeAll(async () => {
    const store = await copyRecordedStore(engine);
    app = new TestApp(engine, { ...environment, ...store }, { argon2: true });
    app.clock.set(now.toISOString());
    await app.start();
    for (const [email, password] of Object.entries(passwords)) {
      const { status, body } = await app.post('/auth/login', { email, password });
      if (status === 200) tokens.set(email, (body as { accessToken: string }).accessToken);
    }
  });
  afterAll(() => app.stop());

  // In order: some of the requests write.
  it.each(entries.map((entry, index) => [index, entry.method, entry.path, entry] as const))(
    'has the response of 0.5 to request %i: %s %s',
    async (_index, method, path, { as, headers, body, status, response, ...entry }) => {
      const call = { ...(headers && { headers }), ...(as !== null && { token: tokens.get(as)! }) };
      const sent = path === ROTATE ? { ...body!, password: passwords[as!] } : body;
      const text = sent && JSON.stringify(sent);
      const received = await app.send(method, path, text, call);
      // Later versions add fields.
      expect({
        body: without(received.body, [...leftOut, ...(entry.leftOut ?? [])]),
      }).toMatchObject({
        body: renamed(response),
      });
      expect(received.status).toBe(status);
    },
  );
});

const without = (body: unknown, leftOut: Entry['leftOut'] = []): unknown =>
  body === undefined
    ? null
    : JSON.parse(JSON.stringify(body), (key, value: unknown) =>
        leftOut.includes(key) ? undefined : value,
      );

const renamed = (response: unknown): unknown =>
  JSON.parse(
    RENAMED.reduce(
      (text, [from, to]) => text.replaceAll(from, to),
      JSON.stringify(response ?? null),
    ),
  );
