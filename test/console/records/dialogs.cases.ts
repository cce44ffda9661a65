import {
  activate,
  createClient,
  createProject,
  type Developer,
  LAPTOP,
} from '../../e2e/developer.js';
import { addApiKey, invite } from '../../e2e/access/member.js';
import { describeConsole } from '../console-under-test.js';
import { expectFocus } from '../keyboard.js';
import { chooseAction } from '../steps.js';

describeConsole('Each dialog of the console', (tested) => {
  let developer: Developer;
  let client: { _id: string; name: string };
  let license: { _id: string; key: string };
  let webhook: string;
  beforeEach(async () => {
    developer = await tested.register();
    const { service } = tested;
    client = await createClient(service, developer, { name: 'Acme' });
    ({ license } = await createProject(service, developer, client._id));
    await activate(service, license, LAPTOP);
    await service.post('/plans', { name: 'Team', days: 14, services: ['Hosting'] }, developer);
    const created = { url: 'https://shop.example.com/hooks', types: ['*'] };
    webhook = (await service.post('/webhooks', created, developer)).body.webhook._id;
    await addApiKey(service, developer, ['licenses:read'], { name: 'Checkout' });
    await invite(service, developer, 'support', 'grace@studio.example');
  });

  it('names what it changes in its title', async () => {
    const page = await tested.openAs(developer, '/account', { userAgent: 'First browser' });
    const other = await tested.openAs(developer, '/account', { userAgent: 'Second browser' });
    await other.getByText('This session').waitFor();
    const ofLicense = `•••• ${license.key.slice(-4)} · Acme · Web shop`;
    const pages: [path: string, dialogs: [button: RegExp, named: string][]][] = [
      [
        `/clients/${client._id}`,
        [
          [/^New project$/, 'Acme'],
          [/^Edit client$/, 'Acme'],
          [/^Delete client$/, 'Acme'],
          [/^New license$/, 'Web shop'],
          [/^Edit project$/, 'Web shop'],
          [/^Delete project$/, 'Web shop'],
        ],
      ],
      [
        `/licenses/${license._id}`,
        [
          [/^Renew$/, ofLicense],
          [/^Release/, ofLicense],
        ],
      ],
      ['/plans', [[/^Delete Team$/, 'Team']]],
      ['/account/api-keys', [[/^Delete Checkout$/, 'Checkout']]],
      [
        `/account/webhooks/${webhook}`,
        [
          [/^Edit$/, 'shop.example.com'],
          [/^Disable$/, 'shop.example.com'],
          [/^Rotate secret$/, 'shop.example.com'],
          [/^Delete$/, 'shop.example.com'],
        ],
      ],
      ['/account', [[/^End Second browser$/, 'Second browser']]],
    ];
    const titleAfter = async (open: () => Promise<void>) => {
      await open();
      const title = await page.getByRole('dialog').getByRole('heading').first().innerText();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      return title;
    };
    for (const [path, dialogs] of pages) {
      await page.goto(tested.url + path);
      for (const [button, named] of dialogs) {
        const open = () => page.getByRole('button', { name: button }).first().click();
        expect(await titleAfter(open)).toContain(named);
      }
    }
    const menus: [path: string, actions: string[], named: string][] = [
      ['/licenses', ['Renew', 'Suspend', 'Reissue', 'Revoke'], ofLicense],
      ['/account/team', ['New link', 'Change role', 'Withdraw'], 'grace@studio.example'],
    ];
    for (const [path, actions, named] of menus) {
      await page.goto(tested.url + path);
      const menu = page.getByRole('button', { name: /^Actions of/ });
      await menu.click();
      await page.getByRole('menu').waitFor();
      expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(actions);
      await page.keyboard.press('Escape');
      for (const name of actions) {
        const open = async () => {
          await menu.click();
          await page.getByRole('menuitem', { name }).click();
        };
        expect(await titleAfter(open)).toContain(named);
      }
    }
  });

  it('begins at its first field, and at Cancel where Enter would do what cannot be undone', async () => {
    const page = await tested.openAs(developer, `/clients/${client._id}`);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New license' }).click();
    await expectFocus(dialog.getByLabel('Duration (months)'));
    await dialog.getByLabel('Hosting').check();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await expectFocus(dialog.getByRole('button', { name: 'Copy key' }));
    await page.goto(`${tested.url}/licenses/${license._id}`);
    await page.getByRole('button', { name: 'Renew' }).click();
    await expectFocus(dialog.getByLabel('Duration (months)'));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    for (const action of ['Suspend', 'Reissue', 'Revoke']) {
      await chooseAction(page, action);
      await expectFocus(dialog.getByRole('button', { name: 'Cancel' }));
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
    }
  });

  it.each([
    ['New webhook', '/account/webhooks', ['Licenses', 'API keys', 'Members', 'Webhooks']],
    ['New plan', '/plans', []],
    ['New license', '/licenses', ['Plan, machines, entitlements']],
  ])(
    'keeps its buttons in sight below a form longer than the window, clear of the focus: %s',
    async (button, path, folded) => {
      const viewport = { width: 1280, height: 800 };
      const page = await tested.openAs(developer, path, { viewport });
      await page.getByRole('button', { name: button }).click();
      const dialog = page.getByRole('dialog');
      const all = dialog.getByRole('checkbox', { name: 'All events' });
      if (button === 'New webhook') await all.uncheck();
      for (const name of folded) await dialog.getByText(name, { exact: true }).click();
      await dialog.evaluate((element) => element.parentElement?.scrollTo(0, 0));
      const buttons = dialog.getByRole('button', { name: /Cancel|Create/ });
      const places = () => Promise.all([0, 1].map((index) => buttons.nth(index).boundingBox()));
      const before = await places();
      for (const place of before) expect(place!.y + place!.height).toBeLessThanOrEqual(800);
      await dialog.locator('input').first().focus();
      const focused = page.locator('form :focus');
      while (await focused.evaluate(({ tagName }) => tagName !== 'BUTTON')) {
        const { y, height } = (await focused.boundingBox())!;
        expect(y + height).toBeLessThanOrEqual(before[0]!.y);
        await page.keyboard.press('Tab');
      }
      expect(await places()).toEqual(before);
    },
  );

  it('shows the months and the days of a term side by side', async () => {
    const page = await tested.openAs(developer, '/plans');
    await page.getByRole('button', { name: 'New plan' }).click();
    const topOf = async (label: string) =>
      (await page.getByRole('dialog').getByLabel(label).boundingBox())!.y;
    expect(await topOf('Days')).toBe(await topOf('Duration (months)'));
  });
});
