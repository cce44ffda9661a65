import { readDocument } from '../document/openapi-document.js';
import { createClient, createProject } from '../e2e/developer.js';
import { describeConsole } from './console-under-test.js';

describeConsole('Clients in the console', (tested) => {
  it('are searched, with the search in the address, and read page by page', async () => {
    const developer = await tested.register();
    for (let number = 0; number < 25; number += 1) {
      await createClient(tested.service, developer, { name: `Client ${number}` });
    }
    const page = await tested.openAs(developer, '/clients');
    const rows = page.getByRole('table', { name: 'Clients' }).getByRole('row');
    await page.getByRole('link', { name: 'Client 24' }).waitFor();
    expect(await rows.count()).toBe(1 + 20);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('link', { name: 'Client 0', exact: true }).waitFor();
    expect(await rows.count()).toBe(1 + 25);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Client 4');

    await page.getByLabel('Search').fill('client 2');
    await page.getByRole('link', { name: 'Client 19' }).waitFor({ state: 'detached' });
    expect(await rows.count()).toBe(1 + 6);
    await page.getByRole('status').getByText('6 shown', { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('?search=client+2');

    await page.reload();
    await page.getByRole('link', { name: 'Client 24' }).waitFor();
    expect(await page.getByLabel('Search').inputValue()).toBe('client 2');
    await page.getByLabel('Search').fill('nobody');
    await page.getByText('No client matches').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Clients' }).first().click();
    await page.getByRole('link', { name: 'Client 19' }).waitFor();
    expect(await page.getByLabel('Search').inputValue()).toBe('');
  });

  it('say what to do first where there are none', async () => {
    const page = await tested.openAs(await tested.register(), '/clients');
    await page.getByText('No clients yet').waitFor();
    await page.goto(`${tested.url}/licenses`);
    await page.getByRole('link', { name: 'Go to your clients' }).click();
    await page.getByRole('heading', { name: 'Clients' }).waitFor();
  });

  it('are created, and rejected with the reason and the request id', async () => {
    const developer = await tested.register();
    const { email } = await createClient(tested.service, developer);
    const page = await tested.openAs(developer, '/clients');
    await page.getByRole('button', { name: 'New client' }).click();
    const dialog = page.getByRole('dialog', { name: 'New client' });
    await dialog.getByLabel('Name').fill('Globex');
    await dialog.getByLabel('E-mail').fill(email);
    const [response] = await Promise.all([
      page.waitForResponse((received) => received.request().method() === 'POST'),
      dialog.getByRole('button', { name: 'Create' }).click(),
    ]);

    await dialog.getByRole('alert').getByText('Client with this email already exists').waitFor();
    await dialog.getByRole('button', { name: 'Copy request id' }).click();
    await dialog.getByText('Copied').waitFor();
    const requestId = await page.evaluate(() => navigator.clipboard.readText());
    expect(await response.json()).toMatchObject({ requestId });

    await dialog.getByLabel('E-mail').fill('office@globex.example');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Globex' }).waitFor();
    expect(await page.title()).toBe('Globex · License console');
  });

  it('are renamed', async () => {
    const developer = await tested.register();
    const { _id: id } = await createClient(tested.service, developer);
    const page = await tested.openAs(developer, `/clients/${id}`);
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Acme Inc');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Acme Inc' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('are deleted only after their projects, and those after their active licenses', async () => {
    const developer = await tested.register();
    const { _id: id } = await createClient(tested.service, developer);
    const { license } = await createProject(tested.service, developer, id);
    await tested.service.post('/validate/activate', { key: license.key });
    const page = await tested.openAs(developer, `/clients/${id}`);
    const remove = async (what: string) => {
      await page.getByRole('button', { name: what }).click();
      await page.getByRole('dialog').getByRole('button', { name: what }).click();
    };

    await remove('Delete client');
    await page.getByText('Client has projects').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await remove('Delete project');
    await page.getByText('Project has active licenses').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();

    await tested.service.post(`/licenses/${license._id}/revoke`, {}, developer);
    await remove('Delete project');
    await page.getByText('Project deleted successfully').waitFor();
    await page.getByText('No projects yet').waitFor();
    await remove('Delete client');
    await page.getByText('Client deleted successfully').waitFor();
    await page.getByText('No clients yet').waitFor();
  });

  it('have projects, which are edited, and get more licenses', async () => {
    const developer = await tested.register();
    const { _id: id } = await createClient(tested.service, developer);
    await createProject(tested.service, developer, id);
    const page = await tested.openAs(developer, `/clients/${id}`);
    await page.getByRole('button', { name: 'Edit project' }).click();
    await page.getByLabel('Project name').fill('Shop');
    // The browser itself applies the limits of the API document.
    const product = page.getByLabel('Product');
    const { maxLength } = readDocument().components.schemas.CreateProjectDto!.properties!.product!;
    expect(await product.getAttribute('maxlength')).toBe(String(maxLength));
    await product.fill('not a label');
    expect(await product.evaluate((it: HTMLInputElement) => it.validity.patternMismatch)).toBe(
      true,
    );
    await page.getByLabel('Product').fill('com.example.shop');
    await page.getByRole('button', { name: 'Save' }).click();
    const project = page.getByRole('region', { name: 'Shop' });
    await project.getByText('com.example.shop').waitFor();

    await page.getByRole('button', { name: 'New license' }).click();
    const create = page.getByRole('dialog').getByRole('button', { name: 'Create' });
    await create.click();
    // The browser itself says that a service has to be chosen.
    const hosting = page.getByRole('checkbox', { name: 'Hosting' });
    expect(await hosting.evaluate((box: HTMLInputElement) => box.validationMessage)).toBe(
      'Choose at least one service',
    );
    await page.getByRole('checkbox', { name: 'Domain' }).check();
    await create.click();
    await page.getByRole('heading', { name: 'License of Shop' }).waitFor();
    await page.goBack();
    await project.getByRole('link').nth(1).waitFor();
  });
});
