import { describeConsole } from '../console-under-test.js';

const LINES = [
  'Order number;Serial;Customer;E-mail;Valid until',
  'A-1;C1B6DE-39A6E3-DE1529;"Müller; Söhne";ada@client.example;2027-02-15',
  'A-2;C1B6DE-39A6E3-AA1529;Globex;bob@client.example;never',
  'A-3;short;Globex;bob@client.example;never',
];

describeConsole('The import of a CSV file', (tested) => {
  const developer = tested.useDeveloper();

  it('checks the rows of a spreadsheet before it creates them, and rejects one that is not UTF-8', async () => {
    const page = await tested.openAs(developer, '/licenses/import');
    const choose = (encoding: BufferEncoding) =>
      page.locator('input[type=file]').setInputFiles({
        ...{ name: 'licenses.csv', mimeType: 'text/csv' },
        buffer: Buffer.from(LINES.join('\r\n'), encoding),
      });
    await choose('latin1');
    await page.getByText('It is not UTF-8 text.').waitFor();
    await choose('utf8');
    await page.getByLabel('ID in the other product').selectOption('Order number');
    await page.getByLabel('Project for rows that have none').fill('Draw');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText("License key: This key can't be imported").waitFor();
    expect((await tested.service.get('/licenses', developer)).body.data).toEqual([]);
    // Another file is checked again, with the same columns.
    await choose('utf8');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('button', { name: 'Import 2 licenses' }).click();
    await page.getByRole('region', { name: 'Import', exact: true }).waitFor();
    await page.getByText('3 of 3 rows').waitFor();
    const { data } = (await tested.service.get('/licenses?order=asc', developer)).body;
    const client = { clientName: 'Müller; Söhne', projectName: 'Draw', externalId: 'A-1' };
    expect(data).toHaveLength(2);
    expect(data).toContainEqual(expect.objectContaining(client));
    await page.getByRole('link', { name: 'View licenses' }).click();
    await page.getByText('2 licenses', { exact: true }).waitFor();
  });
});
