import { NOBODYS, PASSWORD, unknownKey } from '../../e2e/developer.js';
import type { HttpCaller } from '../../http-caller.js';
import { ADDRESS, type Callers, onTheWire, UNIQUE } from '../overload/load.js';
import { times } from '../prove.js';
import type { Filled, FilledAccount } from './fill-store.js';
import type { StuckCallers } from './stuck-callers.js';

/** The most connections of the service, in the long form the default of MAX_CONNECTIONS, and of one address: a sixteenth. */
export const MAX_CONNECTIONS = times({ short: 1_000, long: 5_000 });
export const MAX_OF_ADDRESS = Math.ceil(MAX_CONNECTIONS / 16);
/** Callers of what takes little. */
const MANY = times({ short: 500, long: 2_000 });

const TOO_MANY_CONNECTIONS = MAX_CONNECTIONS + 1000;

const sameCallers = (count: number, kind: string, ...texts: string[]) =>
  Array.from({ length: count }, () => ({ kind, texts }));

/** A hundred requests for a large response, in two parts, as 60 requests at once are not rejected. */
const UNREAD = [60, 40].map((count) => onTheWire('GET', '/docs-json').repeat(count));

const CHECK = onTheWire('POST', '/validate', { body: { key: '' } });

/** Callers that make no progress, each with one connection. */
export const STUCK: StuckCallers = {
  network: 10,
  callers: [
    ...sameCallers(times({ short: 5, long: 60 }), 'unread', ...UNREAD),
    ...sameCallers(10, 'silent'),
    ...sameCallers(10, 'half a head', 'POST /validate HTTP/1.1\r\nHost: licen'),
    ...sameCallers(10, 'half a body', CHECK.slice(0, -5)),
  ],
  pause: 10,
  reopens: false,
};

/** Callers of whom four have an address. */
const callersOf = (callers: number, ...requests: string[]) => ({
  ...{ callers, requests, callersPerAddress: 4 },
});

/** Callers who hold more connections than the service has. */
const tooMany = (callersPerAddress: number) => ({
  ...callersOf(TOO_MANY_CONNECTIONS, onTheWire('GET', '/health/live')),
  ...{ callersPerAddress, holds: true },
});

/** The addresses 127.n.0.0/16 of a trusted proxy. */
export const PROXY_NETWORK = 7;

/** Callers behind the proxy who claim another address in each request, after a long text that the proxy passes on: each begins windows. */
const claims = () => {
  const forwardedFor = `${'x'.repeat(1_000)}, ${ADDRESS}`;
  const key = { key: unknownKey(), refreshToken: 'nonsense' };
  const paths = ['/validate', '/validate', '/validate/activate', '/auth/refresh'];
  const requests = paths.map((path) => onTheWire('POST', path, { body: key, forwardedFor }));
  const keySet = onTheWire('GET', `/keys/${NOBODYS}`, { forwardedFor });
  return { ...callersOf(100, ...requests, keySet), network: PROXY_NETWORK };
};

const numbers = (count: number) => Array.from({ length: count }, (_, number) => String(number));

/** A batch of licenses that are as large as they may be. */
const FAT_BATCH = {
  ...{ count: 100, duration: 6, services: ['Hosting'] },
  metadata: Object.fromEntries(numbers(16).map((name) => [name, 'x'.repeat(500)])),
  entitlements: numbers(50).map((name) => name.padStart(36, 'x')),
};

/** Creates a page of them, each with an event that has them twice. */
export async function fillFat(service: HttpCaller, { fat }: Filled): Promise<void> {
  const token = await tokenOf(service, fat);
  const path = `/projects/${fat.projects[0]}/licenses/batch`;
  const { body } = await service.post(path, FAT_BATCH, { token });
  const { licenses } = body as { licenses: { _id: string }[] };
  const metadata = { ...FAT_BATCH.metadata, '0': 'y'.repeat(500) };
  for (const { _id } of licenses) await service.patch(`/licenses/${_id}`, { metadata }, { token });
}

/** The loads beside the customer, by name. Their access tokens are new. */
export async function loadsOf(service: HttpCaller, filled: Filled) {
  const collector = await tokenOf(service, filled.collector);
  const creator = await tokenOf(service, filled.creator);
  const logins = filled.accounts.map(({ email }) =>
    onTheWire('POST', '/auth/login', { body: { email, password: PASSWORD } }),
  );
  const registration = { name: 'Ada', email: `${UNIQUE}@example.com`, password: PASSWORD };
  const clientId = filled.creator.clients[0];
  const project = { clientId, projectName: 'Shop', duration: 6, services: ['Hosting'] };
  const creation = { body: project, token: creator };
  const [batcher, fat] = [
    await tokenOf(service, filled.batcher),
    await tokenOf(service, filled.fat),
  ];
  const batches = `/projects/${filled.batcher.projects[0]}/licenses/batch`;
  const fatPages = ['/licenses?limit=100', '/events?type=license.updated&limit=100', '/dashboard'];
  const loads = {
    'connections-address': tooMany(TOO_MANY_CONNECTIONS),
    'connections-addresses': tooMany(MAX_OF_ADDRESS),
    claims: claims(),
    logins: callersOf(100, ...logins),
    registrations: {
      ...callersOf(60, onTheWire('POST', '/auth/register', { body: registration })),
      // An address may register 20 accounts an hour, and four callers begin with the same address.
      servedPerAddress: 5,
    },
    creations: callersOf(64, onTheWire('POST', '/projects/createProject', creation)),
    batches: callersOf(32, onTheWire('POST', batches, { body: FAT_BATCH, token: batcher })),
    'fat-pages': callersOf(32, ...fatPages.map((path) => onTheWire('GET', path, { token: fat }))),
    dashboards: callersOf(40, onTheWire('GET', '/dashboard', { token: collector })),
    options: { ...callersOf(MANY, onTheWire('OPTIONS', '/x')), callersPerAddress: 20 },
    health: { ...callersOf(MANY, onTheWire('GET', '/health/ready')), callersPerAddress: 20 },
    pipelining: {
      callers: sameCallers(60, 'unread', ...UNREAD),
      // All at once would be an overload, and be rejected.
      pause: times({ short: 20, long: 300 }),
      reopens: true,
    },
    ...(await loadsBy('large', service, filled.large)),
    ...(await loadsBy('small', service, filled.small)),
  };
  const inNetworks = Object.entries(loads).map(([name, load], index) => {
    return [name, { network: STUCK.network + 1 + index, ...load }] as const;
  });
  return Object.fromEntries<Callers | StuckCallers>(inNetworks);
}

type Call = [method: string, path: string, body?: object];

const get = (...paths: string[]) => paths.map((path): Call => ['GET', path]);

/** Filters of licenses that find none, although many may have to be read. */
const NO_LICENSES = [
  'status=REVOKED',
  'product=none',
  'expiresBefore=2001-01-01T00:00:00.000Z',
  'status=PENDING&expiresBefore=2101-01-01T00:00:00.000Z',
];

type RequestsOf = (account: FilledAccount) => readonly Call[];

/** Loads by an account that has logged in: its requests, each sent again and again. */
const ACCOUNT_LOADS: Readonly<Record<string, RequestsOf>> = {
  summaries: () => get('/dashboard/summary', '/dashboard/summary?days=90'),
  overviews: () => get('/dashboard'),
  nothing: ({ clients: [client], projects: [project] }) => {
    const parents = ['', `clientId=${client}&`, `projectId=${project}&`];
    const filters = parents.flatMap((parent) => NO_LICENSES.map((filter) => parent + filter));
    const sorts = ['createdAt', 'expiresAt'];
    return get(
      ...filters.flatMap((filter) => sorts.map((sort) => `/licenses?${filter}&sort=${sort}`)),
      `/licenses?clientId=${client}&projectId=${project}&status=EXPIRED&product=none`,
      `/licenses?clientId=${NOBODYS}`,
      `/projects?product=none&clientId=${client}`,
      '/projects?product=none',
      `/projects?clientId=${NOBODYS}`,
      '/clients?search=nobody',
      '/dashboard?search=nobody',
      `/dashboard?clientId=${NOBODYS}`,
    );
  },
  lists: ({ projects: [project] }) =>
    get(
      '/licenses?limit=100',
      '/licenses?limit=100&status=ACTIVE&sort=expiresAt',
      `/licenses?limit=100&projectId=${project}`,
      '/projects?limit=100',
      '/clients?limit=100',
    ),
  exports: () => get('/licenses.csv', '/licenses.csv?status=PENDING'),
  search: ({ projects: [project] }) => [
    ['POST', '/search', { q: 'client' }],
    ['POST', '/search', { q: 'nobody' }],
    ...get(
      '/licenses?total=true&limit=1',
      `/licenses?total=true&projectId=${project}&status=PENDING`,
      '/licenses?entitlement=none',
    ),
  ],
  products: ({ projects }) =>
    projects.map((project) => ['PATCH', `/projects/${project}`, { product: 'shop' }]),
  deletions: ({ projects: [project], clients: [client] }) => [
    ['DELETE', `/projects/${project}`],
    ...get(
      '/licenses?limit=100',
      '/licenses?status=PENDING',
      `/licenses?clientId=${client}`,
      '/licenses?status=REVOKED&sort=expiresAt',
      '/projects?limit=100',
      '/dashboard',
      '/dashboard/summary',
    ),
  ],
};

/** The {@link ACCOUNT_LOADS} by some accounts in turn, with as many requests as one account may have in progress. */
async function loadsBy(kind: string, service: HttpCaller, accounts: readonly FilledAccount[]) {
  const tokens = new Map<FilledAccount, string>();
  for (const account of accounts) tokens.set(account, await tokenOf(service, account));
  const loads = Object.entries(ACCOUNT_LOADS).map(([name, requestsOf]) => {
    const ofEach = [...tokens].map(([account, token]) =>
      requestsOf(account).map(([method, path, body]) => onTheWire(method, path, { body, token })),
    );
    const inTurn = ofEach[0]!.flatMap((_, index) => ofEach.map((requests) => requests[index]!));
    return [`${name}-${kind}`, callersOf(32, ...inTurn)] as const;
  });
  return Object.fromEntries(loads);
}

async function tokenOf(service: HttpCaller, { email }: FilledAccount): Promise<string> {
  const { body } = await service.post('/auth/login', { email, password: PASSWORD });
  return (body as { accessToken: string }).accessToken;
}
