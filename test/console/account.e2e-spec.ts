import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { type Developer, PASSWORD } from '../e2e/developer.js';
import { describeConsole } from './console-under-test.js';

const NEW_PASSWORD = 'nine loud kettles whistle';

describeConsole('An account in the console', (tested) => {
  let developer: Developer;
  beforeEach(async () => {
    developer = await tested.register();
  });

  const logIn = async (page: Page, password: string) => {
    await page.getByLabel('E-mail').fill(developer.email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
  };

  it('is created once: whoever does so again with its password is logged in', async () => {
    const page = await tested.open('/register');
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('E-mail').fill(developer.email);
    await page.getByLabel('Password').fill('not the password of Ada');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('alert').getByText('Email already registered').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  it('says why the service rejects a field, at the field', async () => {
    const page = await tested.open('/register');
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('E-mail').fill(`${randomUUID()}@example.com`);
    await page.getByLabel('Password').fill('password1234');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('Validation error').waitFor();
    const password = page.getByLabel('Password');
    expect(await password.getAttribute('aria-invalid')).toBe('true');
    const description = await password.evaluate((field) =>
      (field.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent)
        .join(' '),
    );
    expect(description).toMatch(/Common passwords are rejected.*password/);
  });

  it('cannot be created where registration is closed', async () => {
    await tested.service.end('SIGKILL');
    await tested.startService({ REGISTRATION: 'closed' });
    try {
      const page = await tested.open('/login');
      await page.getByRole('button', { name: 'Log in' }).waitFor();
      await page.waitForLoadState('networkidle');
      expect(await page.getByRole('link', { name: 'Create account' }).count()).toBe(0);
      const reads: string[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/auth/registration')) reads.push(request.url());
      });
      await page.goto(`${tested.url}/register`);
      await page.getByText('Registration is closed').waitFor();
      await page.waitForLoadState('networkidle');
      expect(reads).toHaveLength(1);
      expect(await page.getByLabel('Password').count()).toBe(0);
    } finally {
      await tested.service.end('SIGKILL');
      await tested.startService();
    }
  });

  it('changes its password, and goes on with its session', async () => {
    const page = await tested.openAs(developer, '/account');
    const change = async (current: string) => {
      await page.getByLabel('Current password').fill(current);
      await page.getByLabel('New password').fill(NEW_PASSWORD);
      await page.getByRole('button', { name: 'Change password' }).click();
    };
    await change('not my password');
    await page.getByText('Current password is incorrect').waitFor();
    await change(PASSWORD);
    await page.getByText('Password changed successfully').waitFor();
    expect(await page.getByLabel('New password').inputValue()).toBe('');
    await page.reload();
    await page.getByText(developer.email).waitFor();

    await page.getByRole('button', { name: 'Log out' }).click();
    await logIn(page, PASSWORD);
    await page.getByText('Invalid email or password').waitFor();
    await logIn(page, NEW_PASSWORD);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  it('rotates its signing keys, and says which software keeps working', async () => {
    const page = await tested.openAs(developer, '/account');
    const keys = async () => (await tested.service.get('/signing-keys', developer)).body;
    const { issuer, current, next } = await keys();
    await page.getByRole('button', { name: 'Copy for Python' }).click();
    await page.getByText('Copied').waitFor();
    const program = await page.evaluate(() => navigator.clipboard.readText());
    expect(JSON.parse(program.replace('SIGNING_KEYS = ', ''))).toEqual({ issuer, current, next });

    await page.getByRole('button', { name: 'Rotate keys' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('cannot be undone').waitFor();
    await dialog.getByRole('button', { name: 'Rotate keys' }).click();
    await page.getByText('Builds that contain the key').waitFor();
    expect((await keys()).current).toEqual(next);
    await page
      .getByText(`"kid": "${(await keys()).next.kid}"`)
      .first()
      .waitFor();
  });

  it('gives its own servers the address of its keys', async () => {
    const page = await tested.openAs(developer, '/account');
    await page.getByRole('button', { name: 'Copy address' }).click();
    await page.getByText('Copied').waitFor();
    const address = await page.evaluate(() => navigator.clipboard.readText());
    expect((await fetch(address)).status).toBe(200);
    expect(address).toBe(`${tested.service.url}/keys/${developer._id}`);
  });
});
