import { fieldsOf, idOf, ROUTES } from './world.js';
import { unknownKey } from '../developer.js';
import { useApp } from '../use-app.js';

/** How many unknown keys an address may try at each route that takes a key from anyone. */
const LIMITS: Record<string, number> = { activateLicense: 5, validateLicense: 20 };

const TAKING_A_KEY = ROUTES.filter(
  (route) =>
    (route.operation.requestBody ? fieldsOf(route) : []).includes('key') ||
    route.operation.parameters?.some(({ name }) => /^(license-?)?key$/i.test(name)),
);

describe('Guessing license keys, with the limits of a new deployment', () => {
  const app = useApp('SQLite', {
    ...{ ACTIVATION_LIMIT: '', VALIDATION_LIMIT: '', VALIDATION_ADDRESS_LIMIT: '' },
    UNKNOWN_KEY_LIMIT: '',
  });

  const guess = (path: string, i: number) =>
    app.post(path, { key: unknownKey(i) }, { from: '203.0.113.1' });

  it('has a limit at every route of the document that takes a key', () => {
    expect(TAKING_A_KEY.map(idOf).sort()).toEqual(Object.keys(LIMITS).sort());
  });

  it.each(TAKING_A_KEY.map((route) => [idOf(route), LIMITS[idOf(route)]!, route] as const))(
    'ends at %s after %i guesses of an address in 15 minutes',
    async (_operation, limit, { path }) => {
      const statuses: number[] = [];
      for (let i = 0; i < 200; i += 1) statuses.push((await guess(path, i)).status);

      expect(statuses.findIndex((status) => status === 429)).toBe(limit);
      expect(new Set(statuses.slice(limit))).toEqual(new Set([429]));
      app.clock.advance({ seconds: 899 });
      expect((await guess(path, 0)).status).toBe(429);
      app.clock.advance({ seconds: 1 });
      expect((await guess(path, 0)).status).not.toBe(429);
    },
  );
});
