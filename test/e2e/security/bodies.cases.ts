import type { Route } from '../../document/openapi-document.js';
import { fetchWhole } from '../../fetch-whole.js';
import { everythingOf } from '../everything.js';
import { useApp } from '../use-app.js';
import {
  BODIES,
  createWorld,
  ERROR_MARKERS,
  idOf,
  pathTo,
  ROUTES_WITH_BODY,
  type World,
} from './world.js';

const LIMIT = 16 * 1024;
const JSON_TYPE = 'application/json';

type Wrong = readonly [
  name: string,
  status: number,
  code: string,
  body: (right: string) => string | Buffer,
  type?: string,
];

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const withMore = (right: string, value: string, name = 'more') =>
  right.replace(/\}$/, `${right === '{}' ? '' : ','}"${name}":${value}}`);

/** What is wrong with a body that would be right, and the response to it: one of each code, then more of each. */
const OF_EACH_CODE: readonly Wrong[] = [
  ['16 KiB and a byte', 413, 'BODY_TOO_LARGE', (right) => right.padEnd(LIMIT + 1)],
  ['17 levels', 400, 'BODY_TOO_DEEP', (right) => withMore(right, nested(16))],
  ['an unfinished object', 400, 'MALFORMED_JSON', (right) => right.slice(0, -1)],
  ['an array', 400, 'VALIDATION_ERROR', (right) => `[${right}]`],
  ['text', 415, 'UNSUPPORTED_MEDIA_TYPE', (right) => right, 'text/plain'],
];
const WRONG: readonly Wrong[] = [
  ...OF_EACH_CODE,
  ['2 MB', 413, 'BODY_TOO_LARGE', (right) => right.padEnd(2_000_000)],
  ['5,000 levels', 400, 'BODY_TOO_DEEP', (right) => withMore(right, nested(5000))],
  ['a prototype', 400, 'MALFORMED_JSON', (right) => withMore(right, '{}', '__proto__')],
  [
    "a constructor's prototype",
    ...([400, 'MALFORMED_JSON'] as const),
    (right) => withMore(right, '{"prototype":{}}', 'constructor'),
  ],
  [
    'no UTF-8',
    400,
    'MALFORMED_JSON',
    (right) => Buffer.from(withMore(right, '"\u00ff"'), 'latin1'),
  ],
  ['no JSON', 400, 'MALFORMED_JSON', () => 'name=Acme'],
  ['a text of JSON', 400, 'VALIDATION_ERROR', (right) => JSON.stringify(right)],
  ['a number beyond all', 400, 'VALIDATION_ERROR', () => '1e999'],
  ['a form', 415, 'UNSUPPORTED_MEDIA_TYPE', () => 'a=b', 'application/x-www-form-urlencoded'],
  [
    'a form of parts',
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    () => '--x--',
    'multipart/form-data; boundary=x',
  ],
  ['an invalid type', 415, 'UNSUPPORTED_MEDIA_TYPE', (right) => right, 'json'],
];

describe(`S13: ${WRONG.length + 1} wrong bodies, and one of each code at each of ${ROUTES_WITH_BODY.length} routes`, () => {
  const app = useApp();
  let world: World;
  let before: unknown;

  beforeAll(async () => {
    world = await createWorld(app);
    before = await everythingOf(app, world.user);
  });
  const expectNothingStored = async () =>
    expect(await everythingOf(app, world.user)).toEqual(before);

  const send = (route: Route, body: string | Buffer | undefined, type = JSON_TYPE) =>
    app.send(
      route.method,
      pathTo(route, world),
      typeof body === 'object' ? new Uint8Array(body) : body,
      {
        token: world.user.token,
        ...(body !== undefined && { headers: { 'Content-Type': type } }),
      },
    );
  const expectRejected = async (route: Route, wrongs: readonly Wrong[]) => {
    const right = JSON.stringify(BODIES[idOf(route)]!(world));
    for (const [name, status, code, body, type] of wrongs) {
      const response = await send(route, body(right), type);
      expect([idOf(route), name, response.status]).toEqual([idOf(route), name, status]);
      expect(response.body).toMatchObject({ ...ERROR_MARKERS[idOf(route)], code });
    }
    await expectNothingStored();
  };
  const routeOf = (operation: string) => ROUTES_WITH_BODY.find((one) => idOf(one) === operation)!;

  it('each is rejected by POST /clients, as is one without a type', async () => {
    await expectRejected(routeOf('createClient'), WRONG);
    const untyped = await fetchWhole(`${app.url}/clients`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${world.user.token}` },
      body: new Uint8Array(Buffer.from('{}')),
    });
    expect(untyped.status).toBe(415);
  });

  it.each(ROUTES_WITH_BODY.map((route) => [idOf(route), route] as const))(
    'one of each code is rejected by %s, and nothing is stored',
    (_operation, route) => expectRejected(route, OF_EACH_CODE),
  );

  it('a body of exactly 16 KiB, one of 16 levels, and one with a charset are accepted', async () => {
    const right = () => JSON.stringify(BODIES.createClient!(world));
    for (const [body, type] of [
      [right().padEnd(LIMIT), JSON_TYPE],
      [withMore(right(), nested(15)), JSON_TYPE],
      [right(), `${JSON_TYPE}; charset=utf-8`],
    ] as const) {
      expect((await send(routeOf('createClient'), body, type)).status).toBe(201);
    }
  });
});
