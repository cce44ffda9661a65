import { TestApp } from '../../app.js';
import type { Route } from '../../document/openapi-document.js';
import { ENGINES } from '../../engines.js';
import { fetchWhole } from '../../fetch-whole.js';
import { everythingOf } from '../everything.js';
import { BODIES, createWorld, idOf, pathTo, ROUTES_WITH_BODY, type World } from './world.js';

const LIMIT = 16 * 1024;
const JSON_TYPE = 'application/json';

type Wrong = readonly [
  name: string,
  status: number,
  body: (right: string) => string,
  type?: string,
];

/** What is wrong with a body that would be right, and the status that says so. */
const WRONG: readonly Wrong[] = [
  ['16 KiB and a byte', 413, (right) => right.padEnd(LIMIT + 1)],
  ['2 MB', 413, (right) => right.padEnd(2_000_000)],
  ['17 levels', 400, (right) => withMore(right, nested(16))],
  ['5,000 levels', 400, (right) => withMore(right, nested(5000))],
  ['an unfinished object', 400, (right) => right.slice(0, -1)],
  ['two objects', 400, (right) => right + right],
  ['a comment', 400, (right) => `${right}//`],
  ['a key that reaches for the prototype', 400, (right) => withMore(right, '{}', '__proto__')],
  ['no JSON', 400, () => 'name=Acme'],
  ['an array', 400, (right) => `[${right}]`],
  ['an empty array', 400, () => '[]'],
  ['a text', 400, (right) => JSON.stringify(right)],
  ['a number', 400, () => '5'],
  ['a number beyond all', 400, () => '1e999'],
  ['true', 400, () => 'true'],
  ['a form', 415, () => 'name=Acme', 'application/x-www-form-urlencoded'],
  ['XML', 415, () => '<name>Acme</name>', 'application/xml'],
  ['text', 415, (right) => right, 'text/plain'],
  ['a form of parts', 415, () => '--x\r\n\r\n--x--', 'multipart/form-data; boundary=x'],
  ['a type that is none', 415, (right) => right, 'json'],
];

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const withMore = (right: string, value: string, name = 'more') =>
  right.replace(/\}$/, `${right === '{}' ? '' : ','}"${name}":${value}}`);

describe.each(ENGINES)(
  `S13: ${WRONG.length + 2} wrong bodies to each of ${ROUTES_WITH_BODY.length} routes, on %s`,
  (engine) => {
    let app: TestApp;
    let world: World;
    let before: unknown;

    beforeAll(async () => {
      app = await TestApp.start(engine);
      world = await createWorld(app);
      before = await everythingOf(app, world.user);
    });
    afterEach(async () => {
      expect(await everythingOf(app, world.user)).toEqual(before);
    });
    afterAll(() => app.stop());

    const send = (route: Route, body: string | Uint8Array<ArrayBuffer>, type = JSON_TYPE) =>
      app.send(route.method, pathTo(route, world), body, {
        token: world.user.token,
        headers: { 'Content-Type': type },
      });

    it.each(ROUTES_WITH_BODY.map((route) => [idOf(route), route] as const))(
      '%s rejects each, and nothing is stored',
      async (operation, route) => {
        const right = JSON.stringify(BODIES[operation]!(world));
        const statuses = await Promise.all(
          WRONG.map(async ([name, , body, type]) => {
            return [name, (await send(route, body(right), type)).status];
          }),
        );
        const latin1 = new Uint8Array(Buffer.from(withMore(right, '"\u00ff"'), 'latin1'));
        const untyped = await fetchWhole(app.url + pathTo(route, world), {
          method: route.method,
          headers: { Authorization: `Bearer ${world.user.token}` },
          body: new Uint8Array(Buffer.from(right)),
        });

        expect(statuses).toEqual(WRONG.map(([name, status]) => [name, status]));
        expect((await send(route, latin1)).status).toBe(400);
        expect(untyped.status).toBe(415);
      },
    );

    it('takes a body of exactly 16 KiB, and one of 16 levels', async () => {
      const create = (body: string) => app.send('POST', '/clients', body, newcomer.user);
      const newcomer = await createWorld(app);
      const right = () => JSON.stringify(BODIES.createClient!(newcomer));
      const responses = [
        await create(right().padEnd(LIMIT)),
        await create(withMore(right(), nested(15))),
      ];

      expect(responses.map(({ status }) => status)).toEqual([201, 201]);
    });
  },
);
