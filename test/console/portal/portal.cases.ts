import fs from 'node:fs';
import zlib from 'node:zlib';
import type { Page } from 'playwright-core';
import { DESKTOP, LAPTOP, type LoggedInDeveloper } from '../../e2e/developer.js';
import { LOGO } from '../../e2e/portal/customers.js';
import { mailThrough, MailServer } from '../../mail-server.js';
import { describeConsole } from '../console-under-test.js';
import { problemsIn } from '../page-problems.js';

const MARKUP = `<img src=x onerror=alert(1)>"'&amp;<script>alert(1)</script>{{a}}`;

describeConsole('The customer portal', (tested) => {
  const developer = tested.useDeveloper();

  const set = (settings: object) =>
    tested.service.put('/portal', { enabled: true, name: 'Studio Ada', ...settings }, developer);
  const linkFor = async (client: string, by: LoggedInDeveloper = developer) => {
    const { body } = await tested.service.post(`/clients/${client}/portal-link`, {}, by);
    return String(body.link);
  };
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
  const open = async (url: string) => {
    const page = await tested.newPage({ viewport: { width: 390, height: 800 } });
    await page.goto(url);
    return page;
  };
  const sell = async (terms: object = {}) => {
    const client = await tested.service.createClient(developer);
    const { license } = await tested.service.createProject(developer, client._id, terms);
    const machine = { key: license.key, fingerprint: LAPTOP, machineName: 'Old laptop' };
    await tested.service.post('/validate/activate', machine);
    return { client, license };
  };

  it('new laptop: from the mail to a running program on the new machine in under a minute, without help from the vendor', async () => {
    await set({});
    const mails = new MailServer();
    const mail = mailThrough(await mails.start());
    const { client, license } = await sell();
    expect((await tested.service.activate(license, DESKTOP)).status).not.toBe(200);
    await tested.service.end('SIGKILL');
    // It mails customers only if strangers cannot register.
    await tested.startService({ ...mail, PUBLIC_URL: tested.service.url, REGISTRATION: 'closed' });
    try {
      const started = Date.now();
      const page = await open(`${tested.portalUrl}/${developer._id}`);
      await page.getByLabel('Email').fill(client.email);
      const isMailed = new Promise<string>((resolve) => {
        mails.onMail = ({ parsed }) => resolve(/http\S+#\S+/.exec(parsed.text ?? '')?.[0] ?? '');
      });
      await button(page, 'Send me a link').click();
      await page.getByRole('heading', { name: 'Check your email' }).waitFor();
      await page.goto('about:blank');
      await page.goto(await isMailed);
      await button(page, 'Sign in').waitFor();
      expect(page.url()).toBe(`${tested.portalUrl}/${developer._id}`);
      await button(page, 'Sign in').click();
      await button(page, /Old laptop$/).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('stays offline').waitFor();
      await dialog.getByText('up to 7 days').waitFor();
      await dialog.getByRole('button', { name: 'Release this machine' }).click();
      await page.getByRole('status').getByText('Released Old laptop').waitFor();
      await page.getByText('0 of 1 in use').waitFor();
      expect((await tested.service.activate(license, DESKTOP)).status).toBe(200);
      expect(await tested.service.validationOf(license, DESKTOP)).toBe('active');
      expect(Date.now() - started).toBeLessThan(60_000);
      const seen = await tested.openAs(developer, `/licenses/${license._id}`);
      await seen.getByText(/^The customer · Machine/).waitFor();
    } finally {
      await mails.stop();
      await tested.service.end('SIGKILL');
      await tested.startService();
    }
  });

  it('a link that was only opened still signs in, and a used link does not start a session', async () => {
    await set({});
    const { client } = await sell();
    const link = await linkFor(client._id);
    await button(await open(link), 'Sign in').waitFor();
    const page = await open(link);
    await button(page, 'Sign in').click();
    await page.getByText(client.email).waitFor();
    const replay = await open(link);
    await button(replay, 'Sign in').click();
    await replay.getByText('This link has expired').waitFor();
    await set({ enabled: false });
    await page.reload();
    await page.getByText('Portal not found').waitFor();
  });

  it('S19: shows markup in every field as text, and meets WCAG 2.2 AA, light and dark, from 320 to 1280 px', async () => {
    await set({ name: MARKUP, supportUrl: 'https://a.example/<b>"', logo: LOGO, showKey: true });
    const { client, license } = await sell({ projectName: MARKUP, maxMachines: 2 });
    const machine = { key: license.key, fingerprint: DESKTOP, machineName: MARKUP.slice(0, 90) };
    await tested.service.post('/validate/activate', machine);
    const revoked = await tested.service.addLicense(developer, license.project);
    await tested.service.activate(revoked, DESKTOP);
    await tested.service.post(`/licenses/${revoked._id}/revoke`, {}, developer);
    const problems: string[] = [];
    const look = async (page: Page, name: string) => {
      const elements = await page.locator('img[src=x], iframe, script:not([src])').count();
      if (elements > 0) problems.push(`${name}: ${elements} foreign elements`);
      problems.push(...(await problemsIn(page)).map((one) => `${name} ${one}`));
    };
    const page = await open(`${tested.portalUrl}/${developer._id}`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await look(page, 'sign in');
    // With the same path, only the fragment would change.
    await page.goto('about:blank');
    await page.goto(await linkFor(client._id));
    await button(page, 'Sign in').waitFor();
    await look(page, 'link');
    await button(page, 'Sign in').click();
    await page.getByRole('heading', { name: 'Inactive licenses' }).waitFor();
    await page.getByText('Show machines').click();
    await look(page, 'licenses');
    await button(page, /Old laptop$/).click();
    await page.getByRole('dialog').waitFor();
    await look(page, 'release');
    await page.goto(`${tested.portalUrl}/${'0'.repeat(24)}`);
    await page.getByText('Portal not found').waitFor();
    await look(page, 'missing');
    expect(problems).toEqual([]);
  });

  it('has at most 150 kB of compressed files', () => {
    const folder = 'dist/portal-app/assets/';
    const files = fs.readdirSync(folder).map((name) => fs.readFileSync(folder + name));
    const bytes = files.reduce((sum, file) => sum + zlib.gzipSync(file).length, 0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(150_000);
  });

  it('and the console share no cookie', async () => {
    await set({});
    const { client } = await sell();
    const page = await tested.openAs(developer, '/account');
    await page.goto(await linkFor(client._id));
    await button(page, 'Sign in').click();
    await page.getByText(client.email).waitFor();
    const names = async (url: string) =>
      (await page.context().cookies(url)).map(({ name }) => name);
    expect(await names(`${tested.portalUrl}/`)).toEqual([`portal-${developer._id}`]);
    expect(await names(`${tested.url}/session`)).toEqual(['console-session']);
    expect(await page.evaluate(() => document.cookie)).toBe('');
  });

  it('is set up in the console, with a preview before saving', async () => {
    const page = await tested.openAs(developer, '/account/portal');
    await page.getByLabel('Name').fill('Studio <b>Ada</b>');
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText('Studio <b>Ada</b>').waitFor();
    await page.getByLabel('Let customers sign in').check();
    await page.getByLabel('Logo').setInputFiles({
      ...{ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(LOGO, 'base64') },
    });
    await preview.locator('img').waitFor();
    await page.getByLabel('Help link').fill('help@studio.example');
    await page.getByLabel('Releases in 30 days').fill('5');
    await page.getByText('up to 5 times in 30 days').waitFor();
    await button(page, 'Save').click();
    await page.getByText('Portal settings saved').waitFor();
    expect((await tested.service.get('/portal', developer)).body).toMatchObject({
      ...{ enabled: true, name: 'Studio <b>Ada</b>', logo: LOGO, releasesPer30Days: 5 },
      supportUrl: 'mailto:help@studio.example',
    });
  });
});
