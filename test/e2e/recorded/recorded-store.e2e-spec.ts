import { TestApp } from '../../app.js';
import { ENGINES } from '../../engines.js';
import { copyRecordedStore, type Entry, readRecording } from './recorded-store.js';

/** What is said in other words since. */
const RENAMED = [
  ['activation_refused', 'activation_rejected'],
  [': there is nothing to renew yet', ''],
  ['at most 120 months', 'at most 3,660 days'],
] as const;

/** Takes the account's password since. */
const ROTATE = '/signing-keys/rotate';

describe.each(ENGINES)('a store of 0.5 on %s', (engine) => {
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

  // In order: some of the requests write. Pages of events have other cursors since.
  const asked = entries.filter(({ path }) => !path.includes('/events?'));
  it.each(asked.map((entry, index) => [index, entry.method, entry.path, entry] as const))(
    'has the response of 0.5 to request %i: %s %s',
    async (_index, method, path, { as, headers, body, status, response, ...entry }) => {
      const call = { ...(headers && { headers }), ...(as !== null && { token: tokens.get(as)! }) };
      const sent = path === ROTATE ? { ...body!, password: passwords[as!] } : body;
      const text = sent && JSON.stringify(sent);
      const received = await app.send(method, path, text, call);
      const isOfEvents = path.endsWith('/events') && status === 200;
      const shown = isOfEvents ? asRecorded(received.body as Page<NewEvent>) : received.body;
      const expected = isOfEvents ? withoutEnds(response as Page<OldEvent>) : response;
      // Later versions add fields.
      expect({ body: without(shown, [...leftOut, ...(entry.leftOut ?? [])]) }).toMatchObject({
        body: renamed(expected),
      });
      expect(received.status).toBe(status);
    },
  );
});

interface OldEvent {
  readonly type: string;
  readonly at: string;
}
interface NewEvent extends OldEvent {
  readonly lastAt: string | null;
  readonly actor: { readonly type: string; readonly id: string | null };
  readonly data: Readonly<Record<string, unknown>>;
  readonly count: number;
}
interface Page<Event> {
  readonly data: readonly Event[];
}

/** Events in the form of 0.5. Rejections of one reason and day that two versions have counted are two: their counts are added up. */
function asRecorded({ data }: Page<NewEvent>) {
  const byId = new Map<string, OldEvent & { count: number }>();
  for (const { type: name, at, lastAt, actor, data: details, count } of data) {
    const { machineId = null, reason = null, certificateExpiresAt = null } = details;
    const type = name.replace('license.', '');
    const event = {
      ...{ type, at: lastAt ?? at, count, machineId, reason, certificateExpiresAt },
      actor: actor.type === 'user' ? actor.id : null,
    };
    const isCounted = type === 'activation_rejected';
    const id = isCounted ? `${String(reason)} ${at.slice(0, 10)}` : `${type} ${byId.size}`;
    const later = byId.get(id);
    if (later) later.count += count;
    else byId.set(id, event);
  }
  return { data: [...byId.values()].toSorted(byTime) };
}

/** Without the ends of terms, of which 0.5 stored no event, and without the ids of others. */
const withoutEnds = ({ data }: Page<OldEvent>) => ({
  data: data
    .filter(({ type }) => type !== 'expired')
    .map((event) => ({ ...event, _id: undefined }))
    .toSorted(byTime),
});

const byTime = (a: OldEvent, b: OldEvent) => `${a.at} ${a.type}`.localeCompare(`${b.at} ${b.type}`);

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
