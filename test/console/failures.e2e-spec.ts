import type { Page, Route } from 'playwright-core';
import { createClient, createLicense, type Developer } from '../e2e/developer.js';
import { describeConsole } from './console-under-test.js';

const BUSY = { message: 'Service unavailable', code: 'OVERLOADED', requestId: 'r' };
const UNAVAILABLE = { ...BUSY, code: 'STORE_UNAVAILABLE' };

describeConsole('The console and a service that fails', (tested) => {
  let developer: Developer;
  let page: Page;
  beforeEach(async () => {
    developer = await tested.register();
    page = await tested.openAs(developer, '/clients');
    await page.getByText('No clients yet').waitFor();
  });

  const create = async () => {
    await page.getByRole('button', { name: 'New client' }).click();
    await page.getByLabel('Name').fill('Acme Ltd');
    await page.getByLabel('E-mail').fill(`office@${developer._id}.example`);
    await page.getByRole('button', { name: 'Create' }).click();
  };

  const clients = async () =>
    (await tested.service.get('/clients', developer)).body.data as { name: string }[];

  /** Rejects the next request to a path for a minute. */
  const beBusyOnce = (path: string) =>
    page.route(
      path,
      (route) => route.fulfill({ status: 429, headers: { 'Retry-After': '60' }, json: BUSY }),
      { times: 1 },
    );

  /** Lets a function handle the first request of a method to a path, and returns all of their idempotency keys. */
  const handleFirst = async (method: string, path: string, handle: (route: Route) => unknown) => {
    const keys: (string | undefined)[] = [];
    await page.route(new URL(path, tested.url).href, async (route) => {
      if (route.request().method() !== method) return route.fallback();
      keys.push(route.request().headers()['idempotency-key']);
      return keys.length === 1 ? handle(route) : route.continue();
    });
    return keys;
  };

  it('repeats a write whose response was lost, with the same key, so that it is executed once', async () => {
    const keys = await handleFirst('POST', '/clients', async (route) => {
      expect((await route.fetch()).status()).toBe(201);
      await route.abort();
    });
    await create();
    await page.getByText('The service does not respond at the moment.').waitFor();
    await page.getByRole('heading', { name: 'Acme Ltd' }).waitFor();
    expect(keys).toEqual([expect.any(String), keys[0]]);
    expect(await clients()).toHaveLength(1);
  });

  it('goes on with a write during which the service is killed, once it is started again', async () => {
    const keys = await handleFirst('POST', '/clients', async (route) => {
      expect((await route.fetch()).status()).toBe(201);
      await tested.service.end('SIGKILL');
      await route.abort();
    });
    await page.clock.install();
    await create();
    await page.getByText('The service does not respond at the moment.').waitFor();
    // However long the start takes, the repetitions do not run out.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 500);
    await tested.startService();
    await page.clock.resume();
    await page.getByRole('heading', { name: 'Acme Ltd' }).waitFor();
    expect(new Set(keys).size).toBe(1);
    expect(await clients()).toHaveLength(1);
  });

  it.each([429, 503])(
    'waits as a %d says, visibly, and repeats a write by itself',
    async (status) => {
      const keys = await handleFirst('POST', '/clients', (route) =>
        route.fulfill({ status, headers: { 'Retry-After': '1' }, json: BUSY }),
      );
      await create();
      const inDialog = page.getByRole('dialog').getByRole('status');
      await inDialog
        .getByText('The service asks to wait: Service unavailable (request id r).')
        .waitFor();
      await inDialog.getByText('Trying again in 1 s').waitFor();
      await page.getByRole('heading', { name: 'Acme Ltd' }).waitFor();
      expect(keys).toEqual([expect.any(String), keys[0]]);
      expect(await page.getByText('The service asks to wait').count()).toBe(0);
    },
  );

  it('ends a write that is cancelled, and sends the same later with the same key', async () => {
    await page.clock.install();
    const keys = await handleFirst('POST', '/clients', async (route) => {
      expect((await route.fetch()).status()).toBe(201);
      await route.fulfill({ status: 503, headers: { 'Retry-After': '60' }, json: UNAVAILABLE });
    });
    await create();
    await page.getByText('Trying again in 60 s').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('may have been executed').waitFor();
    await page.clock.runFor(61_000);
    expect(keys).toHaveLength(1);
    await create();
    await page.getByRole('heading', { name: 'Acme Ltd' }).waitFor();
    expect(keys).toEqual([expect.any(String), keys[0]]);
    expect(await clients()).toHaveLength(1);
  });

  /** Cancels a write that the service executes, and submits it again, which fails for a minute. */
  const createTwice = async () => {
    await page.clock.install();
    const keys: (string | undefined)[] = [];
    let respond!: () => void;
    const isResponding = new Promise<void>((resolve) => (respond = resolve));
    let execute!: () => void;
    const isExecuted = new Promise<void>((resolve) => (execute = resolve));
    await page.route(new URL('/clients', tested.url).href, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 2) return route.continue();
      if (keys.length === 2) {
        return route.fulfill({ status: 503, headers: { 'Retry-After': '60' }, json: UNAVAILABLE });
      }
      const response = await route.fetch();
      execute();
      await isResponding;
      return route.fulfill({ response });
    });
    await create();
    await isExecuted;
    await page.getByRole('button', { name: 'Cancel' }).click();
    await create();
    await page.getByText('Trying again in 60 s').waitFor();
    respond();
    // The page reads again what the first submission has changed.
    await page.getByText('Acme Ltd').waitFor();
    return keys;
  };

  it('repeats a write with the key that it has sent, after the response to a cancelled one', async () => {
    const keys = await createTwice();
    await page.clock.runFor(61_000);
    await page.getByRole('heading', { name: 'Acme Ltd' }).waitFor();
    expect(keys).toEqual([expect.any(String), keys[0], keys[0]]);
    expect(await clients()).toHaveLength(1);
  });

  it('sends a write again with the key of the cancelled one that nobody knows to be executed', async () => {
    const keys = await createTwice();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await create();
    await page.getByRole('heading', { name: 'Acme Ltd' }).waitFor();
    expect(keys).toEqual([expect.any(String), keys[0], keys[0]]);
    expect(await clients()).toHaveLength(1);
  });

  it('keeps the key of a write to which something else than the service has responded', async () => {
    let respond!: () => void;
    const isResponding = new Promise<void>((resolve) => (respond = resolve));
    const keys = await handleFirst('POST', '/clients', async (route) => {
      expect((await route.fetch()).status()).toBe(201);
      await isResponding;
      await route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Welcome</h1>' });
    });
    await create();
    await page.getByRole('button', { name: 'Cancel' }).click();
    const portal = page.waitForEvent('requestfinished');
    respond();
    await portal;
    await create();
    await page.getByRole('heading', { name: 'Acme Ltd' }).waitFor();
    expect(keys).toEqual([expect.any(String), keys[0]]);
    expect(await clients()).toHaveLength(1);
  });

  it('lets a reader stop a wait, with the input kept', async () => {
    await handleFirst('POST', '/clients', (route) =>
      route.fulfill({ status: 429, headers: { 'Retry-After': '900' }, json: BUSY }),
    );
    await create();
    await page.getByText('Trying again in 15 min').waitFor();
    await page.getByRole('button', { name: 'Stop waiting' }).click();
    expect(await page.getByLabel('Name').inputValue()).toBe('Acme Ltd');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Acme Ltd' }).waitFor();
  });

  it('waits with a read, too, for as long as the service says', async () => {
    await createClient(tested.service, developer, { name: 'Globex' });
    await page.context().clock.install();
    await page.reload();
    await page.getByRole('link', { name: 'Globex' }).waitFor();
    await beBusyOnce('**/dashboard/summary*');
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('Trying again in 60 s').waitFor();
    await page.clock.runFor(59_000);
    await page.getByText('Trying again in 1 s').waitFor();
    await page.clock.runFor(1000);
    await page.getByText('No licenses yet').waitFor();
  });

  it('shows what cannot be repeated, with the message and the id of the request', async () => {
    await page.goto(`${tested.url}/clients/${'0'.repeat(24)}`);
    await page.getByRole('alert').getByText('Client not found').waitFor();
    expect(await page.getByRole('code').innerText()).toMatch(/^[0-9a-f-]{36}$/);
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(1);
  });

  it('checks the session again where that has failed', async () => {
    await page.route(
      '**/console/session/refresh',
      (route) => route.fulfill({ status: 500, json: { message: 'Internal server error' } }),
      { times: 1 },
    );
    await page.reload();
    await page.getByRole('heading', { name: 'This page cannot be shown' }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No clients yet').waitFor();
  });

  it('waits with the key of a license as the service says', async () => {
    const license = await createLicense(tested.service, developer);
    await page.goto(`${tested.url}/licenses/${license._id}`);
    await page.getByRole('button', { name: 'Show key' }).waitFor();
    const retryAfter = new Date(Date.now() - 1000).toUTCString();
    let isBusy = true;
    await page.route(new URL(`/licenses/${license._id}`, tested.url).href, (route) =>
      isBusy
        ? route.fulfill({ status: 503, headers: { 'Retry-After': retryAfter }, json: BUSY })
        : route.continue(),
    );
    await page.getByRole('button', { name: 'Show key' }).click();
    await page.getByText('Trying again in 1 s').waitFor();
    await page.getByText('Loading…').waitFor();
    isBusy = false;
    await page.getByText(license.key).waitFor();
  });

  it('lets the reader stop waiting for a log-out, and log out later', async () => {
    await beBusyOnce('**/console/session');
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByText('Trying again in 60 s').waitFor();
    await page.getByRole('button', { name: 'Stop waiting' }).click();
    await page.getByText('Trying again in 60 s').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Account' }).click();
    await page.getByText(developer.email).waitFor();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
  });

  it('shows the ids where names cannot be read, and reads the projects of a filter again', async () => {
    const { client, project } = await createLicense(tested.service, developer);
    let isBroken = true;
    for (const path of [`**/clients/${client}`, `**/projects/${project}`, '**/projects?*']) {
      await page.route(path, (route) =>
        isBroken
          ? route.fulfill({ status: 500, json: { message: 'Internal server error' } })
          : route.fallback(),
      );
    }
    await page.goto(`${tested.url}/licenses?clientId=${client}`);
    await page.getByRole('link', { name: project }).waitFor();
    await page.getByRole('link', { name: client }).waitFor();
    await page.getByRole('button', { name: `Client ${client}` }).waitFor();
    const filters = page.getByRole('region', { name: 'Filters' });
    await filters.getByRole('alert').getByText('Internal server error').waitFor();
    isBroken = false;
    await filters.getByRole('button', { name: 'Try again' }).click();
    await filters.getByRole('option', { name: 'Web shop' }).waitFor({ state: 'attached' });
    expect(await filters.getByRole('alert').count()).toBe(0);
  });

  it('shows a key that the browser does not copy', async () => {
    const license = await createLicense(tested.service, developer);
    await page.goto(`${tested.url}/licenses/${license._id}`);
    await page.getByRole('button', { name: 'Copy key' }).waitFor();
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('Not allowed'));
    });
    await page.getByRole('button', { name: 'Copy key' }).click();
    await page.getByText('The browser does not allow copying here').waitFor();
    await page.getByText(license.key).waitFor();
  });

  it('says so where an address leads to no page', async () => {
    await page.goto(`${tested.url}/nowhere`);
    await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
    await page.getByRole('link', { name: 'Go to the overview' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
});
