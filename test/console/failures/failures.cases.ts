import type { Page, Route } from 'playwright-core';
import { describeConsole } from '../console-under-test.js';
import { copied, expectFocus, handleNext, submit, unavailable } from '../steps.js';

describeConsole('The console and a service that fails', (tested) => {
  const developer = tested.useDeveloper();
  let page: Page;
  beforeEach(async () => {
    page = await tested.openAs(developer, '/clients');
    await page.getByText('No customers yet').waitFor();
  });

  const create = async () => {
    await page.getByRole('button', { name: 'New customer' }).click();
    await submit(page, 'Create', { Name: 'Acme Ltd', Email: `office@${developer._id}.example` });
  };

  const clients = async () =>
    (await tested.service.get('/clients', developer)).body.data as { name: string }[];

  /** Lets functions handle the first requests that create a client, and returns the idempotency keys of all requests. */
  const handleCreations = async (...handlers: ((route: Route) => unknown)[]) => {
    const keys: (string | undefined)[] = [];
    await page.route('**/clients', (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      keys.push(route.request().headers()['idempotency-key']);
      const handle = handlers.shift();
      return handle ? handle(route) : route.continue();
    });
    return keys;
  };

  it('finishes a write even if the service is killed and restarts during it', async () => {
    const keys = await handleCreations(async (route) => {
      expect((await route.fetch()).status()).toBe(201);
      await tested.service.end('SIGKILL');
      await route.abort();
    });
    await page.clock.install();
    await create();
    await page.getByText('The service is not responding.').waitFor();
    // However long the start takes, the console keeps retrying.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 500);
    await tested.startService();
    await page.clock.resume();
    await page.getByRole('heading', { name: 'Acme Ltd' }).waitFor();
    expect(new Set(keys).size).toBe(1);
    expect(await clients()).toHaveLength(1);
  });

  it.each([429, 503])(
    'shows the wait after a %d and retries a write automatically',
    async (status) => {
      await page.clock.install();
      const keys = await handleCreations((route) => route.fulfill({ ...unavailable(60), status }));
      await create();
      const inDialog = page.getByRole('dialog').getByRole('status');
      await inDialog.getByText('The service is overloaded.').waitFor();
      // Only requests without a response are the service's fault.
      expect(await inDialog.getByText('Request ID: r.').count()).toBe(status === 503 ? 1 : 0);
      await inDialog.getByText('Retrying in 60 s').waitFor();
      await page.clock.runFor(61_000);
      await page.getByRole('heading', { name: 'Acme Ltd' }).waitFor();
      expect(keys).toEqual([expect.any(String), keys[0]]);
      expect(await page.getByText('The service is overloaded').count()).toBe(0);
    },
  );

  it('retries a write with the same key after a cancelled attempt got its response', async () => {
    await page.clock.install();
    let respond!: () => void;
    const isResponding = new Promise<void>((resolve) => (respond = resolve));
    const keys = await handleCreations(
      async (route) => {
        await isResponding;
        await route.continue();
      },
      (route) => route.fulfill(unavailable(60, 'STORE_UNAVAILABLE')),
    );
    const sent = page.waitForRequest('**/clients');
    await create();
    await sent;
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('may have gone through').waitFor();
    await create();
    await page.getByText('Retrying in 60 s').waitFor();
    const responded = page.waitForResponse((response) => response.status() === 201);
    respond();
    await (await responded).finished();
    await page.clock.runFor(61_000);
    await page.getByRole('heading', { name: 'Acme Ltd' }).waitFor();
    expect(keys).toEqual([expect.any(String), keys[0], keys[0]]);
    expect(await clients()).toHaveLength(1);
  });

  it('also delays reads for as long as the service asks', async () => {
    await tested.service.createClient(developer, { name: 'Globex' });
    await page.context().clock.install();
    await page.reload();
    await page.getByRole('link', { name: 'Globex' }).waitFor();
    await handleNext(page, '**/dashboard/summary*', (route) =>
      route.fulfill({ ...unavailable(60), status: 429 }),
    );
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('Retrying in 60 s').waitFor();
    await page.clock.runFor(59_000);
    await page.getByText('Retrying in 1 s').waitFor();
    await page.clock.runFor(1000);
    await page.getByText('Get started').waitFor();
  });

  it('shows the sidebar while the first request waits', async () => {
    await handleNext(page, '**/console/session/refresh', (route) =>
      route.fulfill({ ...unavailable(60), status: 429 }),
    );
    await page.reload();
    await page.getByText('Retrying in').waitFor();
    await page.getByRole('link', { name: 'Licenses' }).waitFor();
  });

  it('shows the wait of an export, then saves the file', async () => {
    await page.goto(`${tested.url}/licenses`);
    await page.clock.install();
    await handleNext(page, '**/licenses.csv*', (route) => route.fulfill(unavailable(60)));
    const downloaded = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    await page.getByRole('status').getByText('The service is overloaded.').waitFor();
    await page.clock.runFor(61_000);
    await downloaded;
  });

  it('checks the session again after a failure', async () => {
    await handleNext(page, '**/console/session/refresh', (route) =>
      route.fulfill({ status: 500, json: { message: 'Internal server error' } }),
    );
    await page.reload();
    await page.getByRole('heading', { name: "This page can't be shown" }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No customers yet').waitFor();
  });

  describe('says once, in its own words, what went wrong,', () => {
    const RESPONSE = { message: 'Of the service', details: 'And more', requestId: 'r-1' };
    const respond = (status: number, json: object) =>
      handleCreations((route) => route.fulfill({ status, json: { ...RESPONSE, ...json } }));
    const createAgain = () => page.getByRole('button', { name: 'Create' }).click();

    it("with the request ID if the service failed, in the service's words if the code is unknown, and keeps the input", async () => {
      await respond(500, { code: 'INTERNAL_ERROR' });
      await create();
      const dialog = page.getByRole('dialog');
      const alert = dialog.getByRole('alert');
      await alert.getByText('The service failed.').waitFor();
      expect(await dialog.innerText()).not.toContain('Of the service');
      expect(await copied(page, 'Copy request ID')).toBe('r-1');

      await respond(403, { code: 'INSUFFICIENT_ROLE' });
      await createAgain();
      await alert.getByText("You don't have access.").waitFor();
      expect(await dialog.innerText()).not.toMatch(/Of the service|And more|r-1/);

      await respond(409, { code: 'OF_A_LATER_VERSION' });
      await createAgain();
      await alert.getByText('Of the service').waitFor();
      expect(await dialog.getByLabel('Name').inputValue()).toBe('Acme Ltd');
    });

    it('at the rejected field, which gets the focus, and as a list if the form does not show the field', async () => {
      const errors = { email: ['email must be an email address'] };
      await respond(400, { code: 'VALIDATION_ERROR', errors });
      await create();
      await page.getByText('Email must be an email address').waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
      await expectFocus(page.getByLabel('Email'));

      const others = { ...errors, code: ['code must be a number'] };
      await respond(400, { code: 'VALIDATION_ERROR', errors: others });
      await createAgain();
      const alert = page.getByRole('alert');
      await alert.getByText('Some of this input is not valid.').waitFor();
      expect(await alert.getByRole('listitem').allInnerTexts()).toEqual(['code must be a number']);
    });
  });

  it('shows the key if the browser blocks copying', async () => {
    const license = await tested.service.createLicense(developer);
    await page.goto(`${tested.url}/licenses/${license._id}`);
    await page.getByRole('button', { name: 'Copy key' }).waitFor();
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('Not allowed'));
    });
    await page.getByRole('button', { name: 'Copy key' }).click();
    await page.getByText('Your browser blocks copying here').waitFor();
    await page.getByText(license.key).waitFor();
  });
});
