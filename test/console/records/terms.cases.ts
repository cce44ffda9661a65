import { activate, createClient, createProject, DESKTOP, LAPTOP } from '../../e2e/developer.js';
import { chooseAction } from '../steps.js';
import { describeConsole } from '../console-under-test.js';

describeConsole('In the console', (tested) => {
  it('a team license is sold by a plan, its machines are released, and it is suspended and resumed', async () => {
    const { service } = tested;
    const developer = await tested.register();
    const client = await createClient(service, developer);
    const { project } = await createProject(service, developer, client._id);
    const page = await tested.openAs(developer, '/plans');
    const dialog = page.getByRole('dialog');

    await page.getByRole('button', { name: 'New plan' }).click();
    await dialog.getByLabel('Name').fill('Team');
    await dialog.getByLabel('Hosting').check();
    await dialog.getByLabel('Days').fill('30');
    await dialog.getByLabel('Machines', { exact: true }).fill('2');
    await dialog.getByLabel('Entitlements').fill('team  export.pdf');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Plan created successfully').waitFor();
    await page.getByRole('cell', { name: '30 days' }).waitFor();

    await page.goto(`${tested.url}/clients/${client._id}`);
    await page.getByRole('button', { name: 'New license' }).click();
    await dialog.getByLabel('Hosting').check();
    await dialog.getByText('Plan, machines, entitlements').click();
    await dialog.getByLabel('Plan', { exact: true }).selectOption('Team');
    await dialog.getByLabel('External id').fill('order-1');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByRole('link', { name: 'Open the license' }).click();
    await page.getByText('export.pdf, team').waitFor();

    const query = `externalId=order-1&projectId=${project._id}`;
    const [license] = (await service.get(`/licenses?${query}`, developer)).body.data;
    expect(license).toMatchObject({ days: 30, maxMachines: 2 });
    for (const machine of [LAPTOP, DESKTOP]) await activate(service, license, machine);
    await page.getByText('2 of 2 in use').first().waitFor();
    await page
      .getByRole('button', { name: /^Release/ })
      .first()
      .click();
    await dialog.getByRole('button', { name: 'Release' }).click();
    await page.getByText('Machine released successfully').waitFor();
    await page.getByText('1 of 2 in use').first().waitFor();

    for (const [action, status] of [
      ['Suspend', 'Suspended'],
      ['Resume', 'Active'],
    ] as const) {
      await chooseAction(page, action);
      await dialog.getByRole('button', { name: action }).click();
      await page.getByText(status, { exact: true }).first().waitFor();
    }
  });
});
