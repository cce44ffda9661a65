import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { PASSWORD } from '../e2e/developer.js';
import { describeConsole } from './console-under-test.js';

const UNAVAILABLE = { message: 'Service unavailable', code: 'STORE_UNAVAILABLE' };

describeConsole('Registration in the console', (tested) => {
  /** Starts a service without any account. */
  const start = async (REGISTRATION: string) => {
    await tested.service.end('SIGKILL');
    await tested.startService({ REGISTRATION, DATA_DIR: tested.path(randomUUID()) });
  };

  const register = async (page: Page, email = 'ada@studio.example') => {
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
  };

  const failToLogIn = (page: Page, times: number) =>
    page.route(
      '**/console/session',
      (route) => route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, json: UNAVAILABLE }),
      { times },
    );

  it('logs the first account in, even if the response to its registration was lost', async () => {
    await start('first');
    const page = await tested.open('/register');
    await page.route(
      '**/auth/register',
      async (route) => {
        expect((await route.fetch()).status()).toBe(201);
        await route.abort();
      },
      { times: 1 },
    );
    await register(page);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  it('logs the first account in, even if its log-in failed at first', async () => {
    await start('first');
    const page = await tested.open('/register');
    await failToLogIn(page, 1);
    await register(page);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  it('keeps its form when the page reads that the submitted account has closed it', async () => {
    await start('first');
    const page = await tested.open('/register');
    await page.clock.install();
    await page.route(
      '**/auth/register',
      async (route) => {
        expect((await route.fetch()).status()).toBe(201);
        await route.fulfill({ status: 503, headers: { 'Retry-After': '60' }, json: UNAVAILABLE });
      },
      { times: 1 },
    );
    await register(page);
    await page.getByText('Trying again in 60 s').waitFor();
    await page.clock.runFor(3000);
    const closed = page.waitForResponse('**/auth/registration');
    await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
    expect(await (await closed).json()).toEqual({ open: false });
    await page.getByRole('button', { name: 'Stop waiting' }).click();
    await page.getByText('may have been executed').waitFor();
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  it('says that it is closed to whoever has no account, when it was closed meanwhile', async () => {
    await start('first');
    const page = await tested.open('/register');
    await page.getByLabel('Name').waitFor();
    await tested.register();
    await register(page, 'stranger@example.com');
    await page.getByRole('alert').getByText('Registration is closed').waitFor();
  });

  it('is repeated while the log-in that follows fails', async () => {
    await start('open');
    const page = await tested.open('/register');
    await failToLogIn(page, 2);
    await register(page);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
});
