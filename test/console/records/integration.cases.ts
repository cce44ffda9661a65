import { useReceiver } from '../../e2e/webhooks/receiver.js';
import { run } from '../../sdk/commands.js';
import { describeConsole } from '../console-under-test.js';
import { confirm, copied, validityOf } from '../steps.js';

const PRODUCT = 'com.example.drawing-board';

describeConsole('Integration in the console', (tested) => {
  const receiver = useReceiver();
  const owner = tested.useDeveloper();

  it('tests a webhook, says why the service has disabled it, enables it again, changes which events it receives, rotates its secret and deletes it', async () => {
    await tested.service.post('/webhooks', { url: receiver.url, types: ['plan.*'] }, owner);
    receiver.respond = (response) => response.writeHead(410).end();
    const page = await tested.openAs(owner, '/account/webhooks');
    const dialog = page.getByRole('dialog');
    await page.getByRole('cell', { name: 'All plan events' }).waitFor();
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByText('No deliveries yet').waitFor();
    await page.getByRole('button', { name: 'Send test' }).click();
    const row = page.getByRole('row', { name: 'Webhook tested' });
    await row.getByText('Responded with 410').waitFor();
    await page.getByText('because it responded with 410').waitFor();
    expect(await page.getByRole('button', { name: 'Send' }).count()).toBe(0);
    receiver.reset();
    await confirm(page, 'Enable');
    await row.getByRole('button', { name: 'Send again' }).click();
    await row.getByText('Responded with 204').waitFor();

    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByRole('checkbox', { name: 'All plan events' }).uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    const all = dialog.getByRole('checkbox', { name: 'All events' });
    expect(await validityOf(all)).toBe('Choose at least one type of event');
    await dialog.getByRole('checkbox', { name: 'Plan deleted' }).check();
    await dialog.getByText('Clients', { exact: true }).click();
    await dialog.getByRole('checkbox', { name: 'Client created' }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Client created, Plan deleted').waitFor();

    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: 'Rotate secret' }).click();
    expect(await copied(page, 'Copy secret')).toMatch(/^whsec_/);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await confirm(page, 'Delete');
    await page.getByText('No webhooks yet').waitFor();
  });

  it('shows commands that activate and validate a license without an SDK', async () => {
    const license = await tested.service.createLicense(owner, { product: PRODUCT });
    const page = await tested.openAs(owner, `/integrate?product=${PRODUCT}`);
    const commands = (await copied(page, 'Copy commands')).replace('LIC-…', license.key);
    const { stdout } = await run('sh', ['-euc', commands]);
    expect(stdout).toContain('License activated successfully');
    expect(stdout).toContain('"valid":true');
  });
});
