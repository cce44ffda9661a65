import { TestApp } from '../app.js';
import { type LoggedInDeveloper, registerDeveloper } from './developer.js';

/** An application that runs while the tests of the calling block do. */
export function useApp(...parameters: ConstructorParameters<typeof TestApp>): TestApp {
  const app = new TestApp(...parameters);
  beforeAll(() => app.start());
  afterAll(() => app.stop());
  return app;
}

/** A developer who is registered before the tests of the calling block. */
export function useDeveloper(app: TestApp): LoggedInDeveloper {
  const developer = {} as LoggedInDeveloper;
  beforeAll(async () => Object.assign(developer, await registerDeveloper(app)));
  return developer;
}
