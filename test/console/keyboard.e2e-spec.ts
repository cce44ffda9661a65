import { PASSWORD } from '../e2e/developer.js';
import { describeConsole } from './console-under-test.js';
import { expectFocus, Keyboard } from './keyboard.js';

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
    await keyboard.press(page.getByRole('link', { name: 'Clients' }));
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
    const more = page.getByRole('button', { name: 'More' });
    const chooseRevoke = async () => {
      await keyboard.press(more);
      await page.getByRole('menu').waitFor();
      await page.keyboard.type('rev');
      await expectFocus(page.getByRole('menuitem', { name: 'Revoke' }));
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
    };
    await chooseRevoke();
    // Escape leaves the dialog, and the focus returns to where it was.
    await page.keyboard.press('Escape');
    await expectFocus(more);
    await chooseRevoke();
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
