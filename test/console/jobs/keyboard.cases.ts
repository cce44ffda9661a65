import type { Page } from 'playwright-core';
import { describeConsole } from '../console-under-test.js';
import { expectFocus, Keyboard } from '../keyboard.js';
import { BY_KEYBOARD, Vendor } from '../vendor.js';

describeConsole('By keyboard alone, a vendor', (tested) => {
  const developer = tested.useDeveloper();
  let vendor: Vendor;
  let page: Page;
  let keyboard: Keyboard;
  beforeEach(async () => {
    vendor = await Vendor.at(tested, developer, BY_KEYBOARD);
    ({ page } = vendor);
    keyboard = new Keyboard(page);
  });

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const dialog = () => page.getByRole('dialog');

  it('4: has the focus on the button again after a screen reader has submitted the dialog', async () => {
    const license = await tested.service.createLicense(developer, { duration: 1 });
    await tested.service.activate(license);
    await vendor.paste(license.key);
    await keyboard.press(button('Renew'));
    await keyboard.focus(dialog().getByLabel('Duration (months)'));
    // Its clicks have no coordinates and no count.
    await vendor.inDialog('Renew').evaluate((submit) => (submit as HTMLElement).click());
    await page.getByText('License renewed successfully').waitFor();
    await expectFocus(button('Renew'));
  });

  it('5: shows a leaked key, and revokes it from the menu by its first letters', async () => {
    const license = await tested.service.createLicense(developer);
    await vendor.paste(license.key);
    await keyboard.press(button('Show key'));
    await button('Hide key').waitFor();
    const chooseRevoke = async () => {
      await keyboard.press(button('More'));
      await page.getByRole('menu').waitFor();
      await page.keyboard.type('rev');
      await expectFocus(page.getByRole('menuitem', { name: 'Revoke' }));
      await page.keyboard.press('Enter');
      await dialog().waitFor();
    };
    await chooseRevoke();
    // Escape leaves the dialog, and the focus returns to where it was.
    await page.keyboard.press('Escape');
    await expectFocus(button('More'));
    await chooseRevoke();
    await keyboard.type(page.getByLabel('Reason'), 'Contract ended');
    await page.keyboard.press('Enter');
    await page.getByText('License revoked successfully').waitFor();
    // The button that opened the dialog is gone.
    await expectFocus(page.getByRole('heading', { level: 1 }));
    await keyboard.press(button('Dismiss'));
    await expectFocus(page.getByRole('heading', { level: 1 }));
  });

  it('7: finds a customer after a slash, chosen by the arrows, and goes back from an empty search', async () => {
    for (const name of ['Globex North', 'Globex South']) {
      await tested.service.createClient(developer, { name });
    }
    await keyboard.focus(button('New license'));
    await page.keyboard.press('/');
    await page.getByRole('searchbox').waitFor();
    await page.keyboard.press('Escape');
    await expectFocus(button('New license'));
    await page.keyboard.press('/');
    await page.getByRole('searchbox').waitFor();
    await page.keyboard.type('obex');
    await page.getByRole('option', { name: 'Globex North' }).waitFor();
    await keyboard.pressArrowTo(page.getByRole('option', { name: 'Globex South' }));
    await page.keyboard.press('Enter');
    await expectFocus(page.getByRole('heading', { name: 'Globex South' }));
  });

  it('skips the navigation, and moves the focus to the heading of each page, which names the document', async () => {
    await page.keyboard.press('Tab');
    await expectFocus(page.getByRole('link', { name: 'Skip to content' }));
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expectFocus(button('New license'));
    for (const name of ['Clients', 'Licenses', 'Account']) {
      await keyboard.press(page.getByRole('link', { name, exact: true }));
      await expectFocus(page.getByRole('heading', { name, level: 1 }));
      expect(await page.title()).toBe(`${name} · License console`);
    }
  });
});
