import fs from 'node:fs';
import { useFolder } from '../../../test/use-folder.js';
import { readCsv } from './csv.js';
import { type ImportMap, mapped } from './import-map.js';

describe('The map in docs/guides/moving.md of', () => {
  const page = fs.readFileSync('docs/guides/moving.md', 'utf8');
  const mapOf = (product: string) => {
    const [, json] = new RegExp(`### ${product}\\n[^#]*?\`\`\`json\\n([^]+?)\`\`\``).exec(page)!;
    return JSON.parse(json!) as ImportMap;
  };
  const folder = useFolder();
  const services = ['Hosting'];
  const client = { email: 'ada@client.example', name: 'Ada' };

  it.each<[string, string[], object[]]>([
    [
      'Cryptlex',
      [
        'id,key,productId,suspended,createdAt,expiresAt,allowedActivations,email,firstName',
        'l1,1A-2B,p1,false,2024-02-01T10:00:00Z,2027-02-01T10:00:00Z,3,ada@client.example,Ada',
        'l2,3C-4D,p1,true,2024-02-01T10:00:00Z,never,-1,ada@client.example,Ada',
      ],
      [
        {
          ...{ ref: 'l1', key: '1A-2B', project: 'Draw', status: 'active', client, maxMachines: 3 },
          ...{ issuedAt: '2024-02-01T10:00:00Z', expiresAt: '2027-02-01T10:00:00Z' },
        },
        {
          ...{ ref: 'l2', key: '3C-4D', project: 'Draw', status: 'suspended', client },
          ...{ issuedAt: '2024-02-01T10:00:00Z', maxMachines: 1_000_000, expiresAt: null },
        },
      ],
    ],
    [
      'Gumroad',
      [
        'Purchase ID,Buyer Name,Purchase Email,Purchase Date,Product ID,Recurrence,Subscription End Date,License Key,License Key Enabled?',
        'g1,Ada,ada@client.example,2024-02-01,draw,,,85DB562A-C11D4B06,1',
        'g2,Ada,ada@client.example,2024-02-01,draw,yearly,,85DB562B-C11D4B06,0',
      ],
      [
        {
          ...{ ref: 'g1', key: '85DB562A-C11D4B06', client, project: 'Draw', status: 'active' },
          ...{ issuedAt: '2024-02-01T00:00:00.000Z', expiresAt: null, maxMachines: 1_000_000 },
        },
        {
          ...{ ref: 'g2', key: '85DB562B-C11D4B06', client, project: 'Draw', status: 'disabled' },
          ...{ issuedAt: '2024-02-01T00:00:00.000Z', subscription: true, expiresAt: null },
          maxMachines: 1_000_000,
        },
      ],
    ],
    [
      'Easy Digital Downloads',
      [
        'License ID,License Key,License Status,Customer ID,Customer Email,Customer Name,Product Name,Purchase Date,Expiration Date,Activation Limit',
        '1,e94736ad,inactive,7,ada@client.example,Ada,Draw,2024-02-01 10:00:00,1798761600,0',
        '2,e94736ae,disabled,7,ada@client.example,Ada,Draw,2024-02-01 10:00:00,lifetime,5',
      ],
      [
        {
          ...{ ref: '1', key: 'e94736ad', status: 'active', client: { ref: '7', ...client } },
          ...{ project: 'Draw', issuedAt: '2024-02-01T10:00:00.000Z', maxMachines: 1_000_000 },
          expiresAt: '2027-01-01T00:00:00.000Z',
        },
        {
          ...{ ref: '2', key: 'e94736ae', status: 'disabled', client: { ref: '7', ...client } },
          ...{ project: 'Draw', issuedAt: '2024-02-01T10:00:00.000Z', maxMachines: 5 },
          expiresAt: null,
        },
      ],
    ],
    [
      'License Manager for WooCommerce',
      [
        'id,order_id,product_id,user_id,license_key,expires_at,status,times_activated_max,created_at',
        '1,4711,9,7,KEY-A,2027-02-01 10:00:00,DELIVERED,2,2024-02-01 10:00:00',
        '2,4712,9,7,KEY-B,,SOLD,,2024-02-01 10:00:00',
      ],
      [
        {
          ...{ ref: '1', key: 'KEY-A', client: { ref: '7' }, project: 'Draw', status: 'active' },
          ...{ externalId: '4711', issuedAt: '2024-02-01T10:00:00.000Z', maxMachines: 2 },
          expiresAt: '2027-02-01T10:00:00.000Z',
        },
        {
          ...{ ref: '2', key: 'KEY-B', client: { ref: '7' }, project: 'Draw', status: 'active' },
          ...{ externalId: '4712', issuedAt: '2024-02-01T10:00:00.000Z', expiresAt: null },
          maxMachines: 1_000_000,
        },
      ],
    ],
  ])('%s turns its export into rows', async (product, lines, rows) => {
    const map = mapOf(product);
    fs.writeFileSync(folder('export.csv'), lines.join('\n'));
    const found: object[] = [];
    for await (const row of readCsv(folder('export.csv'), map)) {
      found.push({ ...map.defaults, ...mapped({ ...row }, map) });
    }
    expect(found).toEqual(rows.map((row) => ({ ...row, services })));
  });
});
