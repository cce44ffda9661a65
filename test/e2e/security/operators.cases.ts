import pLimit from 'p-limit';
import type { HttpResponse } from '../../http-caller.js';
import { IS_FULL } from '../../scope.js';
import { everythingOf } from '../everything.js';
import { useApp } from '../use-app.js';
import { type ApiRoute, createWorld, ROUTES, ROUTES_WITH_BODY, type World } from './world.js';

/** Values that a query language would treat as a condition or change, and JavaScript as an object. */
const STRUCTURES: readonly unknown[] = [
  ...[{ $ne: null }, { $ne: '' }, { $gt: '' }, { $gte: '' }, { $lt: '~' }],
  ...[{ $lte: '\uffff' }, { $exists: true }, { $type: 'string' }, { $in: [null, ''] }],
  ...[{ $nin: [] }, { $not: { $eq: '' } }, { $or: [{}, { $ne: null }] }, { $regex: '.*' }],
  ...[{ $regex: '.*', $options: 'si' }, { $where: 'return true' }],
  ...[{ $expr: { $eq: [1, 1] } }, { $jsonSchema: {} }, { $elemMatch: {} }],
  ...[{ $set: { owner: '0123456789abcdef01234567' } }, { $unset: { owner: 1 } }],
  ...[{ $function: { body: 'return true', args: [], lang: 'js' } }],
  ...[{ $oid: '0123456789abcdef01234567' }, { _bsontype: 'ObjectId', id: '012345678901' }],
  ...[{ 'a.$ne': null }, { a: { b: { $gt: '' } } }],
  ...[{ length: 16, toString: 'x', valueOf: 'y' }, { constructor: { name: 'String' } }],
  ...[[], [''], [{ $ne: null }], [[{ $gt: '' }]], true],
];

/** Texts with a meaning in a query language, a pattern, a shell or a careless program. */
const TEXTS = [
  ...['.*', '^', '$', '^.{1,200}$', '[a-z]*', '(a+)+$', '|', '%', '_', '*', '\\'],
  ...["' OR '1'='1", "'; DROP TABLE clients; --", '" OR ""="'],
  ...['1 UNION SELECT * FROM users', '{"$eq":1}', '{"$where":"sleep(1000)"}', '$ne'],
  ...['$where', '__proto__', 'constructor', 'toString', 'hasOwnProperty'],
  ...['[object Object]', '${7*7}', '../../etc/passwd', 'a\u0000b', 'x'.repeat(10_000)],
];

/** Query strings that parse to something other than one text. */
const QUERY_FORMS: readonly ((name: string) => string)[] = [
  (name) => `${name}[$ne]=`,
  (name) => `${name}[$gt]=`,
  (name) => `${name}[$regex]=.*`,
  (name) => `${name}[]=`,
  (name) => `${name}[a][b]=c`,
  (name) => `${name}.$ne=`,
  (name) => `${name}=a&${name}=b`,
  (name) => `${name}=&${name}[$ne]=`,
];

/** An account may have at most 32 requests in progress. */
const AT_ONCE = 16;

/** Each field gets a third of the values, or a tenth in the default scope, and all fields together cover each value. */
const inTurn = <T>(values: readonly T[], turn: number): T[] =>
  values.filter((_value, index) => (index + turn) % (IS_FULL ? 3 : 10) === 0);
const asText = (payload: unknown) =>
  typeof payload === 'string' ? payload : JSON.stringify(payload);

// Metadata can have any names.
const FIELDS = ROUTES_WITH_BODY.flatMap((route) =>
  route.fields
    .filter((field) => field !== 'metadata')
    .map((field) => ({ route, field, name: `${route.id}.${field}` })),
);
const PARAMETERS = ROUTES.flatMap((route) => route.parameters.map((name) => ({ route, name })));
const RECORDS = ROUTES.filter(({ record }) => record);

/** Fields that accept `true`, which is one of the structures. */
const FLAGS = [
  'rotateSigningKeys.compromised',
  'rotateWebhookSecret.expireOld',
  'createPlan.oncePerMachine',
];

/** Flags in queries. */
const QUERY_FLAGS = ['total', 'withLicenses', 'licensesCount'];

describe('Operators in requests', () => {
  const app = useApp();
  let eve: World;
  let victim: World;
  let before: Awaited<ReturnType<typeof everythingOf>>[];

  const everything = () => Promise.all([eve, victim].map(({ user }) => everythingOf(app, user)));

  beforeAll(async () => {
    eve = await createWorld(app, { isActive: false });
    victim = await createWorld(app, { isActive: false });
    before = await everything();
  });

  const send = (route: ApiRoute, field: string, payload: unknown) => {
    // A wrong password and a wrong key, so the session and the keys stay.
    const wrong = { currentPassword: 'not the right one', current: 'k'.repeat(43) };
    const base = { ...route.bodyOf(eve), ...wrong };
    const body = JSON.stringify({ ...base, [field]: payload });
    return app.send(route.method, route.pathTo(eve), body, eve.user);
  };
  /** The values with unexpected responses. */
  const matchesOf = async <T>(
    values: readonly T[],
    request: (value: T) => Promise<HttpResponse>,
    fits: (response: HttpResponse) => boolean,
  ) => {
    const responses = await pLimit(AT_ONCE).map(values, request);
    return values.filter((_value, i) => !fits(responses[i]!));
  };
  const is400 = ({ status }: HttpResponse) => status === 400;

  it(`S2: ${STRUCTURES.length + TEXTS.length} values in a query: 400 or an empty list`, async () => {
    // One export at a time; their queries match the lists'.
    const parameters = PARAMETERS.filter(({ route }) => !route.isExport);
    for (const [turn, { route, name }] of parameters.entries()) {
      const queries = [
        ...inTurn([...STRUCTURES, ...TEXTS].map(asText), turn).map(
          (text) => `${name}=${encodeURIComponent(text)}`,
        ),
        ...inTurn(QUERY_FORMS, turn).map((form) => form(name)),
      ];
      const matches = await matchesOf(
        queries,
        (query) => app.get(`${route.pathTo(eve)}?${query}`, eve.user),
        (response) => is400(response) || response.body.data?.length === 0,
      );
      const flags = QUERY_FLAGS.includes(name) ? [`${name}=true`] : [];
      expect([route.path, name, matches.filter((one) => !flags.includes(one))]).toEqual([
        ...[route.path, name, []],
      ]);
    }
  });

  it(`S2: ${STRUCTURES.length} structures as an id: 400`, async () => {
    for (const [turn, route] of RECORDS.entries()) {
      const body = route.hasBody ? JSON.stringify(route.bodyOf(eve)) : undefined;
      const sendTo = (payload: unknown) =>
        app.send(route.method, route.pathTo(asText(payload)), body, eve.user);
      const matches = await matchesOf(inTurn(STRUCTURES, turn), sendTo, is400);
      expect([route.id, matches]).toEqual([route.id, []]);
    }
  });

  it(`S2: ${STRUCTURES.length} structures as a value in a body: 400, and nothing is stored`, async () => {
    for (const [turn, { route, field, name }] of FIELDS.entries()) {
      // A license may have no entitlements.
      const isRight = (one: unknown) =>
        (field === 'entitlements' && Array.isArray(one) && one.length === 0) ||
        (FLAGS.includes(name) && one === true);
      const wrong = inTurn(STRUCTURES, turn).filter((one) => !isRight(one));
      const taken = await matchesOf(wrong, (payload) => send(route, field, payload), is400);
      expect([name, taken]).toEqual([name, []]);
    }
    expect(await everything()).toEqual(before);
  });

  it(`S2: ${TEXTS.length} texts are rejected, or stored and found unchanged`, async () => {
    const client = { name: '', email: 'texts@acme.example' };
    const { _id } = (await app.post('/clients', { ...client, name: 'Texts' }, eve.user)).body
      .client;
    for (const name of TEXTS) {
      const { status, body } = await app.patch(`/clients/${_id}`, { name }, eve.user);
      if (status === 400) continue;
      expect(body.client.name).toBe(name);
      const search = `/clients?search=${encodeURIComponent(name)}`;
      const found = (await app.get(search, eve.user)).body.data as { name: string }[];
      expect(found.map((one) => one.name)).toEqual([name]);
    }
    for (const key of TEXTS) {
      for (const check of [{ key }, { key: eve.license.key, product: key }]) {
        expect((await app.post('/validate', check)).body.valid).toBe(false);
      }
    }
    expect((await everything())[1]).toEqual(before[1]);
  });
});
