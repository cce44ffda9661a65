import { ClientsService } from '../../../src/clients/clients.service.js';
import { WorkClasses } from '../../../src/server/overload/work-class.js';
import { TestApp } from '../../app.js';
import type { HttpResponse } from '../../http-caller.js';
import { fetchWhole } from '../../fetch-whole.js';
import { atOnce } from '../at-once.js';
import { expectError } from '../expect-response.js';
import { ERROR_MARKERS } from '../security/world.js';
import { useApp } from '../use-app.js';

describe('R8: an overloaded service', () => {
  const app = useApp();

  beforeEach(() => {
    const { licenseChecks, passwords, other } = app.nest.get(WorkClasses);
    for (const each of [licenseChecks, passwords, other]) {
      jest.spyOn(each, 'hasPlace').mockReturnValue(false);
    }
  });
  afterEach(() => jest.restoreAllMocks());

  it('rejects license checks with their markers and what reaches no route, with the time to come back', async () => {
    for (const [path, marker] of [
      ['/validate', ERROR_MARKERS.validateLicense],
      ['/validate/activate', ERROR_MARKERS.activateLicense],
      ['/auth/login', {}],
    ] as const) {
      const response = await app.post(path, {});
      expectError(response, [503, 'OVERLOADED'], marker);
      expect(response.headers.get('retry-after')).toBe('1');
    }
    for (const path of ['/x', '/clients?limit=%zz', '/clients/%zz']) {
      expect((await fetchWhole(app.url + path)).status).toBe(503);
    }
    // Other instances would only get its load on top of theirs.
    expect((await app.get('/health/ready')).status).toBe(200);
  });
});

describe('R10: requests that do not end', () => {
  let app: TestApp;
  let endAll: () => void;
  let started: number;

  // Each on a service of its own, as overload lasts for a second.
  beforeEach(async () => {
    app = await TestApp.start('SQLite', {}, { shedsLoad: true });
    started = 0;
    const end = new Promise<void>((resolve) => (endAll = resolve));
    jest.spyOn(app.nest.get(ClientsService), 'list').mockImplementation(async () => {
      started += 1;
      await end;
      return { data: [], next: null };
    });
  });
  afterEach(async () => {
    endAll();
    jest.restoreAllMocks();
    await app.stop();
  });

  /** Sends requests, and waits until each of them hangs or has been rejected. */
  const hang = async (count: number, token: string, from: string) => {
    const rejected: HttpResponse[] = [];
    let settled = 0;
    const before = started;
    const all = atOnce(count, async () => {
      const response = await app.get('/clients', { token, from });
      if (response.status !== 200) rejected.push(response);
      settled += 1;
      return response;
    });
    while (started - before + settled < count) await new Promise(setImmediate);
    return { rejected, all };
  };
  const register = () => app.register();

  it('take 32 places of one account, and none of its others', async () => {
    const [ada, bob] = [await register(), await register()];
    const { rejected, all } = await hang(40, ada.token, '203.0.113.1');

    expect(rejected).toHaveLength(8);
    for (const response of rejected) {
      expectError(response, [429, 'TOO_MANY_CONCURRENT_REQUESTS']);
      expect(response.headers.get('retry-after')).toBe('1');
    }
    expect((await hang(1, bob.token, '203.0.113.1')).rejected).toEqual([]);
    endAll();
    expect((await all).filter(({ status }) => status === 200)).toHaveLength(32);
  });
});
