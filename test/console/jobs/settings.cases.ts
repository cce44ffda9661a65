import { createHmac } from 'node:crypto';
import { createLicense, createProject, createClient, type Developer } from '../../e2e/developer.js';
import { useReceiver } from '../../e2e/webhooks/receiver.js';
import { describeConsole } from '../console-under-test.js';
import { copied } from '../steps.js';
import { Vendor, VIEWPORTS } from '../vendor.js';

const PRODUCT = 'com.example.web-shop';

describeConsole('The jobs of a vendor in the settings', (tested) => {
  const receiver = useReceiver();
  describe.each(VIEWPORTS)('$name', (options) => {
    let developer: Developer;
    let vendor: Vendor;
    beforeEach(async () => {
      developer = await tested.register();
      vendor = await Vendor.at(tested, developer, options);
    });

    it('10: has a whole program with the own keys, product and address in the clipboard after 2 clicks', async () => {
      const client = await createClient(tested.service, developer);
      await createProject(tested.service, developer, client._id, { product: PRODUCT });
      const { page } = vendor;
      await vendor.click(
        page.getByRole('main').getByRole('link', { name: 'Integrate', exact: true }),
      );
      await page.getByLabel('Language').selectOption('Python');
      await vendor.click(vendor.button('Copy program'));
      const program = await copied(vendor.page);
      const keys = (await tested.service.get('/signing-keys', developer)).body;
      for (const own of [PRODUCT, keys.issuer, keys.current.x, new URL(tested.url).origin]) {
        expect(program).toContain(own);
      }
      expect(await page.getByText('curl').count()).toBeGreaterThan(0);
      expect(vendor.clicks).toBe(2);
    });

    it('11: has the link for a colleague who helps customers with at most 3 clicks', async () => {
      const { page } = vendor;
      await vendor.goTo('Team');
      await vendor.click(vendor.button('Invite member'));
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Role').selectOption('Support');
      await dialog.getByLabel('E-mail').fill(`grace@${developer._id}.example`);
      await page.keyboard.press('Enter');
      await dialog.getByRole('button', { name: 'Copy link' }).waitFor();
      expect(vendor.clicks).toBeLessThanOrEqual(3);
    });

    it('12: gives a shop an API key with at most 4 clicks', async () => {
      const { page } = vendor;
      await vendor.goTo('API keys');
      await vendor.click(vendor.button('New API key'));
      const dialog = page.getByRole('dialog');
      await vendor.click(dialog.getByRole('button', { name: 'For a shop that issues licenses' }));
      await dialog.getByLabel('Name').fill('Checkout');
      await page.keyboard.press('Enter');
      await dialog.getByRole('button', { name: 'Copy secret' }).waitFor();
      expect(vendor.clicks).toBeLessThanOrEqual(4);
    });

    it('12: creates a webhook with at most 4 clicks, whose secret is shown once and signs, and sends a delivery again with as many', async () => {
      const { page } = vendor;
      await vendor.goTo('Webhooks');
      await vendor.click(vendor.button('New webhook'));
      await page.getByLabel('Address').fill(`${receiver.url}/hooks`);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Copy secret' }).waitFor();
      expect(vendor.clicks).toBeLessThanOrEqual(4);
      await vendor.button('Copy secret').click();
      const secret = await copied(vendor.page);
      await vendor.button('Close').click();
      await page.getByRole('cell', { name: 'All events' }).waitFor();
      expect(await page.content()).not.toContain(secret);
      const license = await createLicense(tested.service, developer);

      await page.goto(tested.url);
      const again = new Vendor(page);
      await again.goTo('Webhooks');
      await again.click(page.getByRole('link', { name: receiver.url }));
      const row = page.getByRole('row').filter({ hasText: 'License created' });
      await row.getByText('Responded with 204').waitFor();
      receiver.respond = (response) => response.writeHead(202).end();
      await again.click(row.getByRole('button', { name: 'Send again' }));
      await row.getByText('Responded with 202').waitFor();
      expect(again.clicks).toBeLessThanOrEqual(4);

      const messages = receiver.arrived.filter(({ body }) => body.includes('"license.created"'));
      expect(messages).toHaveLength(2);
      expect(new Set(messages.map(({ id }) => id)).size).toBe(1);
      for (const { id, body, headers } of messages) {
        expect(JSON.parse(body)).toMatchObject({ data: { subject: { id: license._id } } });
        const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
        const signed = `${id}.${headers['webhook-timestamp']}.${body}`;
        const digest = createHmac('sha256', key).update(signed).digest('base64');
        expect(headers['webhook-signature']).toBe(`v1,${digest}`);
      }
      expect(tested.service.stdout).not.toContain(secret);
    });
  });
});
