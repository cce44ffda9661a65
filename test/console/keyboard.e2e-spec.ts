import type { Locator, Page } from 'playwright-core';
import { activate, createClient, createProject, PASSWORD } from '../e2e/developer.js';
import { describeConsole } from './console-under-test.js';

/** More stops than any page has. */
const MOST_STOPS = 60;

describeConsole('The console by keyboard alone', (tested) => {
  it('leads from an account to a revoked license, with a visible focus at each step', async () => {
    const page = await tested.open();
    const keyboard = new Keyboard(page);
    await keyboard.press(page.getByRole('link', { name: 'Create account' }));
    await page.getByLabel('Name').waitFor();
    await keyboard.type(page.getByLabel('Name'), 'Ada');
    await keyboard.type(page.getByLabel('E-mail'), 'ada@keyboard.example');
    await keyboard.type(page.getByLabel('Password'), PASSWORD);
    await page.keyboard.press('Enter');
    await keyboard.press(page.getByRole('button', { name: 'New client' }));
    await keyboard.type(page.getByLabel('Name'), 'Acme Ltd');
    await keyboard.type(page.getByLabel('E-mail'), 'office@keyboard.example');
    await page.keyboard.press('Enter');
    await expectFocus(page.getByRole('heading', { name: 'Acme Ltd' }));

    await keyboard.press(page.getByRole('button', { name: 'New project' }));
    await keyboard.type(page.getByLabel('Project name'), 'Web shop');
    await keyboard.focus(page.getByRole('checkbox', { name: 'Hosting' }));
    await page.keyboard.press('Space');
    await keyboard.press(page.getByRole('button', { name: 'Create' }));
    await page.getByRole('heading', { name: 'License of Web shop' }).waitFor();

    await keyboard.press(page.getByRole('button', { name: 'Show key' }));
    await page.getByRole('button', { name: 'Hide key' }).waitFor();
    const revoke = page.getByRole('button', { name: 'Revoke' });
    await keyboard.press(revoke);
    // Escape leaves the dialog, and the focus returns to where it was.
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expectFocus(revoke);
    await page.keyboard.press('Enter');
    await keyboard.type(page.getByLabel('Reason'), 'Contract ended');
    await page.keyboard.press('Enter');
    await page.getByText('License revoked successfully').waitFor();
    // The button that opened the dialog is gone.
    await expectFocus(page.getByRole('heading', { level: 1 }));
    await keyboard.press(page.getByRole('button', { name: 'Dismiss' }));
    await expectFocus(page.getByRole('heading', { level: 1 }));
  });

  it('moves the focus to the heading of each page, which names the document', async () => {
    const page = await tested.openAs(await tested.register());
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const keyboard = new Keyboard(page);
    for (const name of ['Clients', 'Licenses', 'Account']) {
      await keyboard.press(page.getByRole('link', { name, exact: true }));
      await expectFocus(page.getByRole('heading', { name, level: 1 }));
      expect(await page.title()).toBe(`${name} · License console`);
    }
  });

  it('filters, renews, renames and logs out', async () => {
    const developer = await tested.register();
    const client = await createClient(tested.service, developer, { name: 'Acme Ltd' });
    const terms = { projectName: 'Web shop' };
    const { license } = await createProject(tested.service, developer, client._id, terms);
    await activate(tested.service, license);
    const page = await tested.openAs(developer, '/licenses');
    const keyboard = new Keyboard(page);
    await keyboard.type(page.getByLabel('Status'), 'Active');
    await page.waitForURL(/status=ACTIVE/);
    await keyboard.type(page.getByLabel('Expires before'), '01012020');
    await keyboard.focus(page.getByLabel('Sort by'));
    await page.waitForURL(/expiresBefore=2020-01-01/);
    await keyboard.press(page.getByRole('link', { name: 'Clear filters' }));
    await keyboard.press(page.getByRole('link', { name: 'Web shop' }));

    const renew = page.getByRole('button', { name: 'Renew' });
    await keyboard.press(renew);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('License renewed successfully').waitFor();
    await expectFocus(renew);

    const breadcrumbs = page.getByRole('navigation', { name: 'Breadcrumbs' });
    await keyboard.press(breadcrumbs.getByRole('link', { name: 'Acme Ltd' }));
    await keyboard.press(page.getByRole('button', { name: 'Rename' }));
    await keyboard.type(page.getByRole('textbox', { name: 'Name' }), ' & Sons');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '& Sons' }).waitFor();
    await keyboard.press(page.getByRole('button', { name: 'Log out' }));
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
  });

  it('reads on in a list, deletes, certifies and reissues', async () => {
    const developer = await tested.register();
    for (let number = 0; number < 21; number += 1) {
      await createClient(tested.service, developer, { name: `Client ${number}` });
    }
    const client = await createClient(tested.service, developer, { name: 'Acme Ltd' });
    const terms = { product: 'com.example.web-shop' };
    const { license } = await createProject(tested.service, developer, client._id, terms);
    const page = await tested.openAs(developer, '/clients');
    const keyboard = new Keyboard(page);
    const inDialog = (button: string) =>
      page.getByRole('dialog').getByRole('button', { name: button, exact: true });
    await keyboard.press(page.getByRole('button', { name: 'Show more' }));
    const firstNew = page.getByRole('link', { name: 'Client 1', exact: true });
    await expectFocus(page.getByRole('row').filter({ has: firstNew }));
    await keyboard.press(page.getByRole('link', { name: 'Client 0', exact: true }));
    await keyboard.press(page.getByRole('button', { name: 'Delete client' }));
    await keyboard.press(inDialog('Delete client'));
    await page.getByText('Client deleted successfully').waitFor();
    await expectFocus(page.getByRole('heading', { name: 'Clients' }));

    await keyboard.press(page.getByRole('link', { name: 'Licenses' }));
    await keyboard.press(page.getByRole('link', { name: 'Web shop' }));
    await keyboard.press(page.getByText('Certificate for a machine without a network'));
    const request = { fingerprint: `fingerprint-${license._id}`, product: terms.product };
    await keyboard.type(page.getByLabel('Request'), JSON.stringify(request));
    await keyboard.press(page.getByRole('button', { name: 'Issue certificate' }));
    await Promise.all([
      page.waitForEvent('download'),
      keyboard.press(page.getByRole('button', { name: 'Download certificate' })),
    ]);
    await keyboard.press(page.getByRole('button', { name: 'Reissue' }));
    await keyboard.press(inDialog('Reissue'));
    await keyboard.press(inDialog('Copy key'));
    // What is outside the dialog is silent.
    await page.getByRole('dialog').getByRole('status').getByText('Copied').waitFor();
    await keyboard.press(page.getByRole('link', { name: 'Open the new license' }));
    await page.getByText('Pending', { exact: true }).waitFor();
  });

  it('changes a password and rotates the keys', async () => {
    const page = await tested.openAs(await tested.register(), '/account');
    const keyboard = new Keyboard(page);
    await keyboard.type(page.getByLabel('Current password'), PASSWORD);
    await keyboard.type(page.getByLabel('New password'), 'nine loud kettles whistle');
    await page.keyboard.press('Enter');
    await page.getByText('Password changed successfully').waitFor();
    await keyboard.press(page.getByRole('button', { name: 'Rotate keys' }));
    await keyboard.press(page.getByRole('dialog').getByRole('button', { name: 'Rotate keys' }));
    await page.getByText('Builds that contain the key').waitFor();
  });

  it('skips the navigation', async () => {
    const page = await tested.openAs(await tested.register(), '/clients');
    await page.getByText('No clients yet').waitFor();
    await page.keyboard.press('Tab');
    await expectFocus(page.getByRole('link', { name: 'Skip to content' }));
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expectFocus(page.getByRole('button', { name: 'New client' }));
  });
});

/** Uses a page as somebody without a mouse does. */
class Keyboard {
  constructor(private readonly page: Page) {}

  /** Presses Tab until an element has the focus. */
  async focus(target: Locator): Promise<void> {
    await target.waitFor();
    for (let stops = 0; stops < MOST_STOPS; stops += 1) {
      if (await hasFocus(target)) return;
      await this.page.keyboard.press('Tab');
      expect(await this.page.evaluate(withoutOutline)).toBeNull();
    }
    throw new Error(`Tab does not reach ${String(target)}`);
  }

  async press(target: Locator): Promise<void> {
    await this.focus(target);
    await this.page.keyboard.press('Enter');
  }

  async type(target: Locator, text: string): Promise<void> {
    await this.focus(target);
    await this.page.keyboard.type(text);
  }
}

const hasFocus = (target: Locator) =>
  target.evaluate((element) => element === document.activeElement);

/** Waits, as a page that is read from the service gets the focus later. */
async function expectFocus(target: Locator): Promise<void> {
  const element = await target.elementHandle();
  await target.page().waitForFunction((wanted) => wanted === document.activeElement, element);
}

/** The focused element, if it has no outline. After the last one of the page, the focus is on the browser's own. */
function withoutOutline(): string | null {
  const { activeElement } = document;
  if (!activeElement || activeElement === document.body) return null;
  return getComputedStyle(activeElement).outlineStyle === 'none' ? activeElement.outerHTML : null;
}
