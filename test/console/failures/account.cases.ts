import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { PASSWORD } from '../../e2e/developer.js';
import { describeConsole } from '../console-under-test.js';
import { copied, handleNext, logIn, submit, unavailable } from '../steps.js';

const NEW_PASSWORD = 'nine loud kettles whistle';

describeConsole('The console', (tested) => {
  describe('of an account', () => {
    const developer = tested.useDeveloper();

    it('is created once: whoever does so again with its password is logged in', async () => {
      const page = await tested.open('/register');
      await submit(page, 'Create account', {
        Name: 'Ada',
        'E-mail': developer.email,
        Password: 'not the password of Ada',
      });
      await page.getByText('An account with this e-mail address exists.').waitFor();
      await submit(page, 'Create account', { Password: PASSWORD });
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
    });

    it('changes its password, and goes on with its session', async () => {
      const page = await tested.openAs(developer, '/account');
      const fields = { 'Current password': 'not my password', 'New password': NEW_PASSWORD };
      await submit(page, 'Change password', fields);
      await page.getByText('This is not your current password.').waitFor();
      await submit(page, 'Change password', { 'Current password': PASSWORD });
      await page.getByText('Password changed successfully').waitFor();
      expect(await page.getByLabel('New password').inputValue()).toBe('');
      await page.reload();
      await page.getByText(developer.email).waitFor();

      await page.getByRole('button', { name: 'Log out' }).click();
      await logIn(page, developer);
      await page.getByText('The e-mail address or the password is wrong.').waitFor();
      await logIn(page, developer, NEW_PASSWORD);
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
    });

    it('rotates its signing keys, and says which software keeps working', async () => {
      const page = await tested.openAs(developer, '/account/signing-keys');
      const keys = async () => (await tested.service.get('/signing-keys', developer)).body;
      const { issuer, current, next } = await keys();
      await page.getByRole('button', { name: 'Copy keys' }).click();
      expect(JSON.parse(await copied(page))).toEqual({ issuer, current, next });

      await page.getByRole('button', { name: 'Rotate keys' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('cannot be undone').waitFor();
      await submit(dialog, 'Rotate keys', { Password: PASSWORD });
      await page.getByText('Builds that contain the key').waitFor();
      const rotated = await keys();
      expect(rotated.current).toEqual(next);
      await page.getByText(`"kid": "${rotated.next.kid}"`).first().waitFor();
    });
  });

  describe('for the first account of a service', () => {
    /** Starts a service without any account. */
    beforeEach(async () => {
      await tested.service.end('SIGKILL');
      await tested.startService({ REGISTRATION: 'first', DATA_DIR: tested.path(randomUUID()) });
    });
    afterAll(async () => {
      await tested.service.end('SIGKILL');
      await tested.startService();
    });

    const register = async (page: Page, email = 'ada@studio.example') => {
      await submit(page, 'Create account', { Name: 'Ada', 'E-mail': email, Password: PASSWORD });
    };

    it('logs the first account in, even if the response to its registration was lost, and its log-in fails at first, and is then closed to everybody else', async () => {
      const stranger = await tested.open('/register');
      await stranger.getByLabel('Name').waitFor();
      const page = await tested.open('/register');
      await handleNext(page, '**/auth/register', async (route) => {
        expect((await route.fetch()).status()).toBe(201);
        await route.abort();
      });
      await handleNext(page, '**/console/session', (route) => route.fulfill(unavailable(1)));
      await register(page);
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      await register(stranger, 'stranger@example.com');
      await stranger.getByRole('alert').getByText('Registration is closed').waitFor();
    });

    it('ends a write that waits when told to, and keeps its form when the page reads that the submitted account has closed it', async () => {
      const page = await tested.open('/register');
      await page.clock.install();
      await handleNext(page, '**/auth/register', async (route) => {
        expect((await route.fetch()).status()).toBe(201);
        await route.fulfill(unavailable(60, 'STORE_UNAVAILABLE'));
      });
      await register(page);
      await page.getByText('Trying again in 60 s').waitFor();
      await page.clock.runFor(3000);
      const closed = page.waitForResponse('**/auth/registration');
      await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
      expect(await (await closed).json()).toEqual({ open: false });
      await page.getByRole('button', { name: 'Stop waiting' }).click();
      await page.getByText('may have been executed').waitFor();
      // It is not repeated any more, which would log the account in.
      await page.clock.runFor(61_000);
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
    });
  });
});
