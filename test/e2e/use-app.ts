import { TestApp } from '../app.js';
import { type LoggedInDeveloper, registerDeveloper } from './developer.js';

type OfTestApp = ConstructorParameters<typeof TestApp>;

/** An application on SQLite that runs while the tests of the calling block do. */
export const useApp = (env?: OfTestApp[1], options?: OfTestApp[2]): TestApp =>
  useAppOn('SQLite', env, options);

/** An application that runs while the tests of the calling block do. */
export function useAppOn(...parameters: OfTestApp): TestApp {
  const app = new TestApp(...parameters);
  beforeAll(() => app.start());
  afterAll(() => app.stop());
  return app;
}

/**
 * Registers a developer before the tests of the calling block.
 *
 * @returns only for tests and later hooks: it has its fields once the developer is registered
 */
export function useDeveloper(app: TestApp): LoggedInDeveloper {
  const developer = {} as LoggedInDeveloper;
  beforeAll(async () => Object.assign(developer, await registerDeveloper(app)));
  return developer;
}
