import fs from 'node:fs';
import { useFolder } from '../../../test/use-folder.js';
import { readPages, type Resource } from './json-api.js';
import { keyboxRows, readCollections } from './keybox.js';
import { keygenRows } from './keygen.js';
import { lemonSqueezyRows } from './lemon-squeezy.js';

const pagesOf = (...all: Resource[]): ReadonlyMap<string, readonly Resource[]> => {
  const types = [...new Set(all.map(({ type }) => type))];
  return new Map(types.map((name) => [name, all.filter(({ type }) => type === name)]));
};
const to = (id: string) => ({ data: { id } });

describe('A Keygen license', () => {
  const license = (attributes: object = {}, id = 'l1'): Resource => ({
    type: 'licenses',
    id,
    attributes: {
      ...{ name: null, key: 'C1B6DE-39A6E3', expiry: '2027-02-01T10:00:00.000Z', status: 'ACTIVE' },
      ...{ uses: 0, suspended: false, scheme: null, floating: true, maxMachines: 3 },
      ...{ metadata: { seats: '3' }, created: '2024-02-01T10:00:00.000Z', ...attributes },
    },
    relationships: { product: to('p1'), policy: to('o1'), user: to('u1') },
  });
  const policy = (attributes: object = {}): Resource => ({
    ...{ type: 'policies', id: 'o1' },
    attributes: {
      duration: 31_557_600,
      floating: true,
      expirationStrategy: 'RESTRICT_ACCESS',
      ...attributes,
    },
  });
  const user: Resource = {
    ...{ type: 'users', id: 'u1' },
    attributes: { firstName: 'Ada', lastName: 'Byron', email: 'ada@client.example' },
  };
  const machine: Resource = {
    ...{ type: 'machines', id: 'm1', relationships: { license: to('l1') } },
    attributes: {
      fingerprint: '4d:5e',
      name: null,
      hostname: 'studio',
      created: '2024-02-03T09:00:00.000Z',
    },
  };

  it('has its owner, its machines and the terms of its policy', () => {
    expect(keygenRows(pagesOf(license(), policy(), user, machine))).toEqual([
      {
        ...{ ref: 'l1', key: 'C1B6DE-39A6E3', product: 'p1', status: 'active' },
        client: { ref: 'u1', email: 'ada@client.example', name: 'Ada Byron' },
        ...{ issuedAt: '2024-02-01T10:00:00.000Z', expiresAt: '2027-02-01T10:00:00.000Z' },
        ...{ maxMachines: 3, metadata: { seats: '3' } },
        machines: [
          { fingerprint: '4d:5e', name: 'studio', activatedAt: '2024-02-03T09:00:00.000Z' },
        ],
      },
    ]);
    expect(() => keygenRows(pagesOf(license()))).toThrow(
      'The policy of the license l1 is missing.',
    );
  });

  const END = '2027-02-01T10:00:00.000Z';
  it.each([
    [{ suspended: true }, {}, { status: 'suspended', expiresAt: END }],
    [{ status: 'BANNED', suspended: true }, {}, { status: 'banned' }],
    [{ expiry: null }, { duration: null }, { status: 'active', expiresAt: null }],
    [{}, { expirationStrategy: 'MAINTAIN_ACCESS' }, { expiresAt: null, updatesUntil: END }],
    [{}, { expirationStrategy: 'ALLOW_ACCESS' }, { expiresAt: null }],
    [{ maxMachines: null }, {}, { maxMachines: 1_000_000 }],
    [{ maxMachines: null }, { floating: false }, { maxMachines: 1 }],
    [
      { expiry: null },
      { duration: 1_209_600, expirationBasis: 'FROM_FIRST_ACTIVATION' },
      { status: 'pending', days: 14 },
    ],
    [
      { expiry: null, suspended: true },
      { duration: 1_209_600, expirationBasis: 'FROM_FIRST_ACTIVATION' },
      { status: 'suspended', days: 14, neverActivated: true },
    ],
  ])('with %j and a policy with %j becomes %j', (attributes, terms, row) => {
    expect(keygenRows(pagesOf(license(attributes), policy(terms)))).toMatchObject([row]);
  });
});

describe('A Lemon Squeezy license key', () => {
  const key = (attributes: object = {}): Resource => ({
    ...{ type: 'license-keys', id: '1' },
    attributes: {
      ...{ store_id: 1, customer_id: 17, order_id: 4711, order_item_id: 5, product_id: 9 },
      ...{ user_name: 'Ada Byron', user_email: 'ada@client.example', activation_limit: 5 },
      ...{ key: '80e15db5-c796-436b-850c-8f9c98a48abe', instances_count: 0, disabled: 0 },
      ...{ status: 'inactive', expires_at: null, created_at: '2024-02-01T10:00:00.000000Z' },
      ...attributes,
    },
  });
  const subscription = (attributes: object): Resource => ({
    ...{ type: 'subscriptions', id: '2' },
    attributes: { order_id: 4711, status: 'active', renews_at: null, ends_at: null, ...attributes },
  });
  const folder = useFolder();
  const rowsOf = (...all: Resource[]) => {
    const first = 'https://api.lemonsqueezy.com/v1/subscriptions?page%5Bnumber%5D=1';
    const pages = [{ data: all }, { links: { first }, data: [] }];
    fs.writeFileSync(folder('pages.json'), JSON.stringify(pages));
    return lemonSqueezyRows(readPages([folder('pages.json')]));
  };

  it('has its customer and its limit, and is perpetual without an expiry date or a subscription', () => {
    const row = {
      ...{ ref: '1', key: '80e15db5-c796-436b-850c-8f9c98a48abe', product: '9', status: 'active' },
      client: { ref: '17', email: 'ada@client.example', name: 'Ada Byron' },
      ...{ issuedAt: '2024-02-01T10:00:00.000000Z', expiresAt: null, maxMachines: 5 },
      metadata: { lemonSqueezyOrder: '4711' },
    };
    expect(rowsOf(key())).toEqual([{ ...row, subscription: false }]);
    expect(() => lemonSqueezyRows(pagesOf(key()))).toThrow(
      'Add the pages of GET /v1/subscriptions',
    );
  });

  const [RENEWAL, END] = ['2026-12-01T10:00:00.000000Z', '2026-12-24T10:00:00.000000Z'];
  it.each([
    [{}, null],
    [{ renews_at: RENEWAL }, RENEWAL],
    [{ renews_at: RENEWAL, ends_at: END, status: 'cancelled' }, END],
  ])('of a subscription with %j expires at %j', (attributes, expiresAt) => {
    const row = { expiresAt, subscription: true };
    expect(rowsOf(key(), subscription(attributes))).toMatchObject([row]);
  });

  it.each([
    [{ disabled: 1 }, { status: 'disabled' }],
    [{ status: 'expired', expires_at: '2025-01-01T00:00:00.000000Z' }, { status: 'expired' }],
    [{ activation_limit: null }, { maxMachines: 1_000_000 }],
  ])('with %j becomes %j', (attributes, row) => {
    expect(rowsOf(key(attributes))).toMatchObject([row]);
  });
});

describe('A KeyBox license', () => {
  const folder = useFolder();

  it('keeps its term, and holds a seat for programs that do not identify machines', () => {
    const [id, client, project] = ['a', 'b', 'c'].map((digit) => ({ $oid: digit.repeat(24) }));
    const [since, until] = ['2025-06-01T10:00:00.000Z', '2026-06-01T10:00:00.000Z'];
    const license = {
      ...{ _id: id, key: 'LIC-CCCCCCCCCCCCCCCCCCCCCCCC-7Q2M-X0AB-93KD', duration: 12 },
      ...{ issuedAt: { $date: since }, expiresAt: { $date: until }, status: 'ACTIVE' },
      ...{ services: ['Hosting'], client, project },
    };
    const collections = {
      licenses: [license, { ...license, _id: client, status: 'PENDING' }],
      clients: [{ _id: client, name: 'Ada', email: 'ada@client.example' }],
      projects: [{ _id: project, name: 'Shop', client }],
    };
    const files = Object.entries(collections).map(([name, documents]) => {
      fs.writeFileSync(
        folder(`${name}.json`),
        documents.map((one) => JSON.stringify(one)).join('\n'),
      );
      return folder(`${name}.json`);
    });
    const terms = { key: license.key, issuedAt: since, duration: 12, services: ['Hosting'] };
    const owner = { ref: client!.$oid, email: 'ada@client.example', name: 'Ada' };
    const row = { ...terms, client: owner, project: 'Shop' };
    expect(keyboxRows(readCollections(files))).toEqual([
      {
        ...{ ...row, ref: id!.$oid, status: 'ACTIVE', expiresAt: until },
        ...{ maxMachines: 2, machines: [{ service: true }] },
      },
      { ...row, ref: client!.$oid, status: 'PENDING', expiresAt: null },
    ]);
  });
});
