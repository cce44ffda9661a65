import type { Page } from 'playwright-core';
import { LAPTOP, PASSWORD } from '../../e2e/developer.js';
import { useReceiver } from '../../e2e/webhooks/receiver.js';
import { describeConsole } from '../console-under-test.js';
import { handleNext, logIn, submit, unavailable } from '../steps.js';

/** Longer than an access token lasts. */
const LATER = '16:00';

describeConsole('Sessions of the console', (tested) => {
  const developer = tested.useDeveloper();

  const createAcme = async (page: Page) => {
    await page.getByRole('button', { name: 'New customer' }).click();
    await submit(page, 'Create', { Name: 'Acme', Email: `office@${developer._id}.example` });
  };

  /** Counts the requests that the pages of a browser send to a path. */
  const count = (page: Page, path: string, method?: string) => {
    const sent = { requests: 0 };
    page.context().on('request', (request) => {
      const isCounted = new URL(request.url()).pathname === path;
      if (isCounted && request.method() === (method ?? request.method())) sent.requests += 1;
    });
    return sent;
  };

  it('start with signing in, which returns to the page and its filters', async () => {
    const page = await tested.open('/licenses?status=ACTIVE');
    await page.getByText('Sign in to continue.').waitFor();
    await logIn(page, developer);
    await page.getByRole('heading', { name: 'Licenses' }).waitFor();
    expect(page.url()).toBe(`${tested.url}/licenses?status=ACTIVE`);
  });

  it('work under a path prefix, where software also activates', async () => {
    const service = await tested.startBelow('/tools/licenses');
    expect(service.url).toMatch(/\/tools\/licenses$/);
    const ada = await service.register();
    const license = await service.createLicense(ada);
    const page = await tested.newPage();
    await page.goto(service.url);
    await logIn(page, ada);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('link', { name: 'Licenses', exact: true }).click();
    await page.getByRole('link', { name: license.key.slice(-4) }).click();
    await page.getByText('Pending').first().waitFor();
    expect((await service.activate(license, LAPTOP)).status).toBe(200);
    await page.reload();
    await page.getByText('Active', { exact: true }).first().waitFor();
    expect(page.url()).toBe(`${service.url}/console/licenses/${license._id}`);
    const [cookie] = await page.context().cookies(`${service.url}/console/session`);
    expect(cookie).toMatchObject({ path: '/tools/licenses/console/session' });
    expect((await service.end('SIGTERM')).code).toBe(0);
  });

  it('redirect only within the console', async () => {
    const page = await tested.newPage();
    for (const from of ['//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
      await page.context().clearCookies();
      await page.goto(`${tested.url}/login?from=${encodeURIComponent(from)}`);
      await logIn(page, developer);
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      expect(new URL(page.url()).origin).toBe(new URL(tested.url).origin);
    }
  });

  it('survive a reload during a slow refresh', async () => {
    const page = await tested.newPage();
    await tested.logIn(page, developer);
    const isRefreshed = new Promise<void>((resolve) => {
      // The response never arrives.
      void handleNext(page, '**/console/session/refresh', async (route) => {
        await route.fetch();
        resolve();
      });
    });
    await page.goto(`${tested.url}/account`);
    await isRefreshed;
    await page.reload();
    await page.getByText(developer.email).waitFor();
  });

  it('continue in every tab when the token expires in all of them at the same time', async () => {
    const license = await tested.service.createLicense(developer);
    const page = await tested.openAs(developer, `/licenses/${license._id}`);
    const other = await page.context().newPage();
    await page.context().clock.install();
    await Promise.all([page.reload(), other.goto(page.url())]);
    const tabs = [page, other];
    await Promise.all(tabs.map((tab) => tab.getByRole('button', { name: 'Show key' }).waitFor()));

    const refreshes = count(page, '/console/session/refresh');
    const reads = count(page, `/licenses/${license._id}`);
    // A tab whose clock is wrong would think that the new token expires soon.
    let release!: () => void;
    const isLater = new Promise<void>((resolve) => (release = resolve));
    await page.context().route('**/console/session/refresh', async (route) => {
      await isLater;
      await route.continue();
    });
    await page.context().clock.fastForward(LATER);
    release();
    await Promise.all(tabs.map((tab) => tab.getByRole('button', { name: 'Show key' }).click()));
    await Promise.all(tabs.map((tab) => tab.getByText(license.key).waitFor()));
    expect(reads.requests).toBeGreaterThanOrEqual(2);
    // The clocks of the tabs are moved one after the other: the second may be ahead of the token of the first.
    expect(refreshes.requests).toBeLessThanOrEqual(2);
  });

  it('continue after the service rejects a token', async () => {
    const page = await tested.openAs(developer, '/clients');
    await page.getByText('No customers yet').waitFor();
    const refreshes = count(page, '/console/session/refresh');
    const response = { status: 401, json: { message: 'Unauthorized', code: 'UNAUTHORIZED' } };
    await handleNext(page, '**/clients', (route) => route.fulfill(response));
    await createAcme(page);
    await page.getByRole('heading', { name: 'Acme' }).waitFor();
    expect(refreshes.requests).toBe(1);
  });

  it('end in every tab when the user signs out in one, and restart in every tab', async () => {
    const client = await tested.service.createClient(developer);
    const page = await tested.openAs(developer, `/clients/${client._id}`);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('heading', { name: client.name }).waitFor();

    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await other.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(page.url()).toBe(`${tested.url}/login`);
    expect(await page.context().cookies()).toEqual([]);
    await page.goto(`${tested.url}/clients/${client._id}`);
    await logIn(page, developer);
    await other.getByRole('heading', { name: client.name }).waitFor();
  });

  it('never execute a write in an account other than the one that submitted it', async () => {
    const page = await tested.openAs(developer, '/clients');
    await page.getByText('No customers yet').waitFor();
    await page.clock.install();
    const writes = count(page, '/clients', 'POST');
    await handleNext(page, '**/clients', (route) => route.fulfill(unavailable(60)));
    await createAcme(page);
    await page.getByText('Retrying in 60 s').waitFor();

    await tested.logIn(page, await tested.service.register());
    await page.clock.fastForward(LATER);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('No customers yet').waitFor();
    expect(writes.requests).toBe(1);
  });
});

describeConsole('S20: A page of another origin, on the same site as the console', (tested) => {
  const developer = tested.useDeveloper();
  /** Another port of the same host. */
  const server = useReceiver();

  it("can't read anything, nor end, refresh or replace the session, by fetch, form, frame or window", async () => {
    const victim = await tested.openAs(developer, '/account');
    await victim.getByText(developer.email).waitFor();
    server.respond = (response) => {
      response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Foreign</title>');
    };
    const foreign = await victim.context().newPage();
    foreign.removeAllListeners();
    await foreign.goto(server.url);
    const { email } = await tested.service.register();
    const login = JSON.stringify({ email, password: PASSWORD, x: '=' });
    const headers = { 'Content-Type': 'application/json' };
    for (const [method, path, body] of [
      ['GET', '/auth/me'],
      ['GET', '/clients'],
      ['GET', '/console'],
      ['POST', '/console/session/refresh'],
      ['DELETE', '/console/session'],
      ['POST', '/console/session', login],
    ] as const) {
      for (const mode of ['cors', 'no-cors'] as const) {
        const sent = { body: body ?? null, ...(mode === 'cors' && { headers }) };
        const init = { mode, method, credentials: 'include', ...sent } as const;
        // The browser hides a response from the page with an error or an empty text.
        const read = await foreign.evaluate(
          ([url, options]) =>
            fetch(url, options)
              .then((response) => response.text())
              .catch(() => ''),
          [new URL(path, tested.url).href, init] as const,
        );
        expect(read).toBe('');
      }
    }
    // As text, the name and value of a field form JSON together with the text between them.
    const [name, value] = login.split('=');
    for (const path of ['/session', '/session/refresh']) {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
        await foreign.goto(server.url);
        await foreign.setContent(
          `<form method="post" action="${tested.url}${path}" enctype="${type}">
             <input name='${name}' value='${value}'><button>Submit</button>
           </form>`,
        );
        const response = foreign.waitForResponse(tested.url + path);
        await foreign.getByRole('button').click();
        expect((await response).status()).toBe(403);
      }
    }
    await foreign.goto(server.url);
    await foreign.setContent(`<iframe src="${tested.url}"></iframe>`);
    expect(await foreign.frames().at(-1)!.content()).not.toContain('License console');
    const page = foreign.context().waitForEvent('page');
    const reference = await foreign.evaluateHandle((url) => window.open(url), tested.url);
    await (await page).getByRole('heading').first().waitFor();
    // Cross-Origin-Opener-Policy removes the reference.
    expect(await reference.evaluate((opened) => opened?.closed)).toBe(true);
    await victim.reload();
    await victim.getByText(developer.email).waitFor();
  });
});
