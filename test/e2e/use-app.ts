import passport from 'passport';
import { JwtStrategy } from '../../src/auth/access/authentication.guard.js';
import { TestApp } from '../app.js';
import { START } from '../fake-clock.js';
import type { LoggedInDeveloper } from './developer.js';

type OfTestApp = ConstructorParameters<typeof TestApp>;

/** Shared by all blocks of a spec without their own variables, because starting takes longer than most tests. */
let shared: Promise<TestApp> | undefined;
const sharedApp = new TestApp('SQLite');
afterAll(async () => (await shared)?.stop());

/** An application on SQLite during the tests of the calling block, with its clock at START. */
export function useApp(env?: OfTestApp[1], options?: OfTestApp[2]): TestApp {
  if (env ?? options) return useAppOn('SQLite', env, options);
  beforeAll(async () => {
    await (shared ??= sharedApp.start().then(() => sharedApp));
    sharedApp.clock.set(START);
    // Passport has one strategy per process, from the application started last, which has another clock.
    passport.use('jwt', sharedApp.nest.get(JwtStrategy, { strict: false }));
  });
  return sharedApp;
}

/** An application that runs during the tests of the calling block. */
export function useAppOn(...parameters: OfTestApp): TestApp {
  const app = new TestApp(...parameters);
  beforeAll(() => app.start());
  afterAll(() => app.stop());
  return app;
}

/**
 * Starts an application like `useApp`. Before each test of the calling block, sets its clock to START and registers a new
 * developer.
 *
 * @returns the application, and the developer, whose fields are empty until the first test
 */
export function useDeveloper(...of: Parameters<typeof useApp>): [TestApp, LoggedInDeveloper] {
  const app = useApp(...of);
  const developer = {} as LoggedInDeveloper;
  beforeEach(async () => {
    app.clock.set(START);
    Object.assign(developer, await app.register());
  });
  return [app, developer];
}
