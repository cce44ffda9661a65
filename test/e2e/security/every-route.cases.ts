import type { ErrorCode } from '../../../src/shared/errors/error-codes.js';
import { forgeriesOf, signAgain } from './forged-tokens.js';
import { SECRETS } from '../../engines.js';
import { unknownKey } from '../developer.js';
import { everythingOf } from '../everything.js';
import { expectError } from '../responses.js';
import { useApp } from '../use-app.js';
import {
  type ApiRoute,
  createWorld,
  ERROR_MARKERS,
  injectedInto,
  ROUTES,
  ROUTES_WITH_BODY,
  type World,
} from './world.js';

// test/e2e/security/abuse-limits.cases.ts lists the public ones.
const AUTHENTICATED = ROUTES.filter(({ isPublic }) => !isPublic);

const LIMIT = 16 * 1024;
const JSON_TYPE = 'application/json';
const RIGHT = JSON.stringify({ key: unknownKey() });
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const withMore = (right: string, value: string) =>
  right.replace(/\}$/, `${right === '{}' ? '' : ','}"more":${value}}`);

describe(`Each of ${ROUTES.length} routes`, () => {
  const app = useApp();
  let world: World;
  let before: unknown;

  beforeAll(async () => {
    world = await createWorld(app);
    before = await everythingOf(app, world.user);
  });
  // None of the rejected requests has an effect.
  afterAll(async () => expect(await everythingOf(app, world.user)).toEqual(before));

  const bodyOf = (route: ApiRoute) =>
    route.hasBody ? JSON.stringify(route.bodyOf(world)) : undefined;
  const stolen = () => ({ ...world.user, secret: SECRETS.JWT_SECRET });

  it('S5: is public, or 401 without a token and for one of another deployment, before the body is read', async () => {
    const forged = signAgain(stolen(), {}, { secret: 'another-key-for-signing-the-tokens' });
    for (const route of AUTHENTICATED) {
      for (const [body, call] of [
        [bodyOf(route), { token: forged }],
        [route.hasBody ? '{' : undefined, {}],
      ] as const) {
        const response = await app.send(route.method, route.pathTo(world), body, call);
        expect([route.id, response.status]).toEqual([route.id, 401]);
        expect(response.headers.get('www-authenticate')).toBe('Bearer');
      }
    }
  });

  it('S5: rejects tokens with any single part changed', async () => {
    for (const [name, authorization] of forgeriesOf(stolen())) {
      const headers = authorization === undefined ? {} : { Authorization: authorization };
      expect([name, (await app.get('/auth/me', { headers })).status]).toEqual([name, 401]);
    }
    expect((await app.get('/auth/me', { token: signAgain(stolen()) })).status).toBe(200);
    expect((await app.get('/health/live', { token: 'nonsense' })).status).toBe(200);
  });

  it('400: rejects an undeclared query field by name', async () => {
    for (const route of ROUTES) {
      const path = `${route.pathTo(world)}?pagee=2`;
      const response = await app.send(route.method, path, bodyOf(route), world.user);

      expect([route.id, response.status, response.body]).toEqual([
        ...[route.id, 400],
        {
          ...route.marker,
          ...{ message: 'Validation error', code: 'VALIDATION_ERROR' },
          errors: { pagee: ['pagee is not a field here'] },
          details: 'pagee is not a field here.',
          requestId: response.headers.get('x-request-id'),
        },
      ]);
    }
  });

  // Every form of malformed JSON is covered in src/http/input.guard.spec.ts.
  it.each<[string, ErrorCode, (right: string) => string, string?]>([
    ['16 KiB and a byte', 'BODY_TOO_LARGE', (right) => right.padEnd(LIMIT + 1)],
    ['17 levels', 'BODY_TOO_DEEP', (right) => withMore(right, nested(16))],
    ['an unfinished object', 'MALFORMED_JSON', (right) => right.slice(0, -1)],
    ['an array', 'VALIDATION_ERROR', (right) => `[${right}]`],
    ['text', 'UNSUPPORTED_MEDIA_TYPE', (right) => right, 'text/plain'],
    ['a form', 'UNSUPPORTED_MEDIA_TYPE', (right) => right, 'multipart/form-data; boundary=x'],
  ])('S13: rejects %s with %s', async (_wrong, code, wrong, type = JSON_TYPE) => {
    for (const route of ROUTES_WITH_BODY) {
      // Its limit is tested with imports.
      if (code === 'BODY_TOO_LARGE' && route.id === 'importLicenses') continue;
      const call = { token: world.user.token, headers: { 'Content-Type': type } };
      const body = wrong(bodyOf(route)!);
      const response = await app.send(route.method, route.pathTo(world), body, call);
      expectError(response, code, route.marker);
    }
  });

  it.each([
    ['exactly 16 KiB', RIGHT.padEnd(LIMIT), JSON_TYPE],
    ['JSON with a charset', RIGHT, `${JSON_TYPE}; charset=utf-8`],
  ])('S13: accepts a body that is %s', async (_right, body, type) => {
    const response = await app.send('POST', '/validate', body, {
      headers: { 'Content-Type': type },
    });
    expect(response.status).toBe(200);
  });

  it('S3: rejects by name any foreign field that is stored, sent or shown elsewhere', async () => {
    const isStrict = ({ method, isLenient }: ApiRoute) =>
      ['POST', 'PATCH'].includes(method) && !isLenient;
    for (const route of ROUTES.filter(isStrict)) {
      const injected = injectedInto(route);
      const body = JSON.stringify({ ...injected, ...route.bodyOf(world) });
      const response = await app.send(route.method, route.pathTo(world), body, world.user);
      expect([route.id, response.status]).toEqual([route.id, 400]);
      // A missing field, or two terms, have their own error, which comes first.
      const { errors = injected } = response.body;
      expect(Object.keys(errors as object)).toEqual(Object.keys(injected));
    }
  });

  it('S3: ignores unknown fields in requests of shipped software, and nowhere else', () => {
    const lenient = ROUTES.filter(({ isLenient }) => isLenient).map(({ id }) => id);
    expect(new Set(lenient)).toEqual(new Set(Object.keys(ERROR_MARKERS)));
  });
});
