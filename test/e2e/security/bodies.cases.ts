import type { Route } from '../../document/openapi-document.js';
import { ENGINES } from '../../engines.js';
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

type Outcome = readonly [status: number, code: string];
const TOO_LARGE: Outcome = [413, 'BODY_TOO_LARGE'];
const TOO_DEEP: Outcome = [400, 'BODY_TOO_DEEP'];
const MALFORMED: Outcome = [400, 'MALFORMED_JSON'];
const INVALID: Outcome = [400, 'VALIDATION_ERROR'];
const WRONG_TYPE: Outcome = [415, 'UNSUPPORTED_MEDIA_TYPE'];

type Wrong = readonly [
  name: string,
  outcome: Outcome,
  body: (right: string) => string,
  type?: string,
];

/** What is wrong with a body that would be right, and the response to it. */
const WRONG: readonly Wrong[] = [
  ['16 KiB and a byte', TOO_LARGE, (right) => right.padEnd(LIMIT + 1)],
  ['2 MB', TOO_LARGE, (right) => right.padEnd(2_000_000)],
  ['17 levels', TOO_DEEP, (right) => withMore(right, nested(16))],
  ['5,000 levels', TOO_DEEP, (right) => withMore(right, nested(5000))],
  ['an unfinished object', MALFORMED, (right) => right.slice(0, -1)],
  ['two objects', MALFORMED, (right) => right + right],
  ['a comment', MALFORMED, (right) => `${right}//`],
  ['a prototype', MALFORMED, (right) => withMore(right, '{}', '__proto__')],
  [
    "a constructor's prototype",
    MALFORMED,
    (right) => withMore(right, '{"prototype":{}}', 'constructor'),
  ],
  ['no JSON', MALFORMED, () => 'name=Acme'],
  ['an array', INVALID, (right) => `[${right}]`],
  ['an empty array', INVALID, () => '[]'],
  ['a text', INVALID, (right) => JSON.stringify(right)],
  ['a number', INVALID, () => '5'],
  ['a number beyond all', INVALID, () => '1e999'],
  ['true', INVALID, () => 'true'],
  ['a form', WRONG_TYPE, () => 'name=Acme', 'application/x-www-form-urlencoded'],
  ['XML', WRONG_TYPE, () => '<name>Acme</name>', 'application/xml'],
  ['text', WRONG_TYPE, (right) => right, 'text/plain'],
  ['a form of parts', WRONG_TYPE, () => '--x--', 'multipart/form-data; boundary=x'],
  ['an invalid type', WRONG_TYPE, (right) => right, 'json'],
];

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const withMore = (right: string, value: string, name = 'more') =>
  right.replace(/\}$/, `${right === '{}' ? '' : ','}"${name}":${value}}`);

describe.each(ENGINES)(
  `S13: ${WRONG.length + 2} wrong bodies to each of ${ROUTES_WITH_BODY.length} routes, on %s`,
  (engine) => {
    const app = useApp(engine);
    let world: World;
    let before: unknown;

    beforeAll(async () => {
      world = await createWorld(app);
      before = await everythingOf(app, world.user);
    });
    afterEach(async () => {
      expect(await everythingOf(app, world.user)).toEqual(before);
    });

    const send = (
      route: Route,
      body: string | Uint8Array<ArrayBuffer> | undefined,
      type = JSON_TYPE,
    ) =>
      app.send(route.method, pathTo(route, world), body, {
        token: world.user.token,
        ...(body !== undefined && { headers: { 'Content-Type': type } }),
      });

    it.each(ROUTES_WITH_BODY.map((route) => [idOf(route), route] as const))(
      '%s rejects each, and nothing is stored',
      async (operation, route) => {
        const right = JSON.stringify(BODIES[operation]!(world));
        const errors = await Promise.all(
          WRONG.map(async ([name, , body, type]) => {
            const response = await send(route, body(right), type);
            return [name, response.status, response.body];
          }),
        );
        const latin1 = new Uint8Array(Buffer.from(withMore(right, '"\u00ff"'), 'latin1'));
        const untyped = await fetchWhole(app.url + pathTo(route, world), {
          method: route.method,
          headers: { Authorization: `Bearer ${world.user.token}`, Origin: app.url },
          body: new Uint8Array(Buffer.from(right)),
        });

        const marker = ERROR_MARKERS[operation];
        expect(errors).toMatchObject(
          WRONG.map(([name, [status, code]]) => [name, status, { ...marker, code }]),
        );
        expect((await send(route, latin1)).body).toMatchObject({
          ...marker,
          code: 'MALFORMED_JSON',
        });
        expect(untyped.status).toBe(415);
      },
    );

    it.each(['createClient', 'createProject', 'login', 'activateLicense', 'validateLicense'])(
      '%s takes null, and no body at all, for an empty object',
      async (operation) => {
        const route = ROUTES_WITH_BODY.find((one) => idOf(one) === operation)!;
        const empty = await send(route, '{}');

        expect(empty.status).toBe(400);
        for (const body of ['null', undefined]) {
          const { body: error } = await send(route, body);
          expect({ ...error, requestId: '' }).toEqual({ ...empty.body, requestId: '' });
        }
      },
    );

    it('takes a body of exactly 16 KiB, one of 16 levels, and one with a charset', async () => {
      const create = (body: string, type = JSON_TYPE) =>
        app.send('POST', '/clients', body, {
          ...newcomer.user,
          headers: { 'Content-Type': type },
        });
      const newcomer = await createWorld(app);
      const right = () => JSON.stringify(BODIES.createClient!(newcomer));
      const responses = [
        await create(right().padEnd(LIMIT)),
        await create(withMore(right(), nested(15))),
        await create(right(), `${JSON_TYPE}; charset=utf-8`),
      ];

      expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
    });
  },
);
