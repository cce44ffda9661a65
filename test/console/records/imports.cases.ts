import { describeConsole } from '../console-under-test.js';
import { Vendor } from '../vendor.js';

const LINES = [
  'Order number;Serial;Customer;E-mail;Valid until',
  'A-1;C1B6DE-39A6E3-DE1529;"Müller; Söhne";ada@client.example;2027-02-15',
  'A-2;C1B6DE-39A6E3-AA1529;Globex;bob@client.example;never',
  'A-3;short;Globex;bob@client.example;never',
];

describeConsole('The import of a CSV file', (tested) => {
  const developer = tested.useDeveloper();

  it('14: takes 5 clicks from the menu, checks the rows of a spreadsheet before it creates them, and rejects a file that is not UTF-8', async () => {
    const vendor = await Vendor.at(tested, developer);
    const { page } = vendor;
    const choose = (encoding: BufferEncoding) =>
      page.locator('input[type=file]').setInputFiles({
        ...{ name: 'licenses.csv', mimeType: 'text/csv' },
        buffer: Buffer.from(LINES.join('\r\n'), encoding),
      });
    await vendor.goTo('Licenses');
    await vendor.click(page.getByRole('link', { name: 'Import' }));
    await choose('latin1');
    await page.getByText('It is not UTF-8 text.').waitFor();
    await choose('utf8');
    await page.getByLabel('ID in the other product').selectOption('Order number');
    await page.getByLabel('Project for rows that have none').fill('Draw');
    await vendor.click(vendor.button('Check'));
    await page.getByText("License key: This key can't be imported").waitFor();
    await page.getByText('nothing has been imported yet').waitFor();
    expect((await tested.service.get('/licenses', developer)).body.data).toEqual([]);
    // Another file is checked again, with the same columns.
    await choose('utf8');
    await vendor.button('Check').click();
    await vendor.click(vendor.button('Import 2 licenses'));
    await page.getByRole('region', { name: 'Import', exact: true }).waitFor();
    await page.getByText('3 of 3 rows').waitFor();
    const { data } = (await tested.service.get('/licenses?order=asc', developer)).body;
    const license = { clientName: 'Müller; Söhne', projectName: 'Draw', externalId: 'A-1' };
    const expiresAt = '2027-02-15T00:00:00.000Z';
    expect(data).toHaveLength(2);
    expect(data).toContainEqual(expect.objectContaining({ ...license, expiresAt }));
    await vendor.click(page.getByRole('link', { name: 'View licenses' }));
    await page.getByText('2 licenses', { exact: true }).waitFor();
    // One more opens the drawer.
    expect(vendor.clicks).toBe(5 + 1);
  });
});
