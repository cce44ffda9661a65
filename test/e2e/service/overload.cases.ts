import { ClientsService } from '../../../src/clients/clients.service.js';
import { WorkClasses } from '../../../src/server/overload/work-class.js';
import type { HttpResponse } from '../../http-caller.js';
import { fetchWhole } from '../../fetch-whole.js';
import { atOnce } from '../at-once.js';
import { expectError } from '../expect-response.js';
import { ERROR_MARKERS } from '../security/world.js';
import { useApp } from '../use-app.js';

describe('R8: an overloaded service', () => {
  const app = useApp();

  afterEach(() => jest.restoreAllMocks());

  it('rejects license checks with their markers and what reaches no route, with the time to come back', async () => {
    const { licenseChecks, passwords, other } = app.nest.get(WorkClasses);
    for (const each of [licenseChecks, passwords, other]) {
      jest.spyOn(each, 'hasPlace').mockReturnValue(false);
    }
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
  const app = useApp({}, { shedsLoad: true });
  let endAll: () => void = () => undefined;
  afterEach(() => {
    endAll();
    jest.restoreAllMocks();
  });

  it('take 32 places of one account, and none of its others', async () => {
    const [ada, bob] = [await app.register(), await app.register()];
    const end = new Promise<void>((resolve) => (endAll = resolve));
    let started = 0;
    jest.spyOn(app.nest.get(ClientsService), 'list').mockImplementation(async () => {
      started += 1;
      await end;
      return { data: [], next: null };
    });
    const rejected: HttpResponse[] = [];
    const send = async ({ token }: { token: string }) => {
      const response = await app.get('/clients', { token });
      if (response.status !== 200) rejected.push(response);
      return response.status;
    };
    const untilSettled = async (count: number) => {
      while (started + rejected.length < count) await new Promise(setImmediate);
    };
    const all = atOnce(40, () => send(ada));
    await untilSettled(40);

    expect(rejected).toHaveLength(8);
    for (const response of rejected) {
      expectError(response, [429, 'TOO_MANY_CONCURRENT_REQUESTS']);
      expect(response.headers.get('retry-after')).toBe('1');
    }
    const other = send(bob);
    await untilSettled(41);
    endAll();
    expect(await other).toBe(200);
    expect((await all).filter((status) => status === 200)).toHaveLength(32);
  });
});
