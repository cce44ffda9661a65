import { NOBODYS, PASSWORD, unknownKey } from '../../e2e/developer.js';
import type { HttpCaller } from '../../http-caller.js';
import { ADDRESS, type Callers, onTheWire, UNIQUE } from '../overload/load.js';
import { FORM, times } from '../prove.js';
import { fingerprintOf } from '../many-machines/add-machines.js';
import { type Filled, type FilledAccount, MACHINES, METADATA } from './fill-store.js';
import type { StuckCallers } from './stuck-callers.js';

/** Maximum connections of the service; in the long form the default of MAX_CONNECTIONS. */
export const MAX_CONNECTIONS = times({ short: 1_000, long: 5_000 });
/** Callers of cheap requests. */
const MANY = times({ short: 500, long: 2_000 });

const sameCallers = (count: number, ...texts: string[]) =>
  Array.from({ length: count }, () => texts);

/** A hundred requests for a large response, more than a connection may pipeline. */
const UNREAD = onTheWire('GET', '/docs-json').repeat(100);

const CHECK = onTheWire('POST', '/validate', { body: { key: '' } });

/** Callers that make no progress, each with one connection. */
export const STUCK: StuckCallers = {
  network: 10,
  callers: [
    ...sameCallers(times({ short: 5, long: 60 }), UNREAD),
    ...sameCallers(10),
    ...sameCallers(10, 'POST /validate HTTP/1.1\r\nHost: licen'),
    ...sameCallers(10, CHECK.slice(0, -5)),
  ],
};

const callersOf = (callers: number, ...requests: string[]) => ({
  ...{ callers, requests, callersPerAddress: 4 },
});

/** Callers that together hold more connections than the service allows. */
const TOO_MANY = {
  ...callersOf(MAX_CONNECTIONS + 1000, onTheWire('GET', '/health/live')),
  ...{ callersPerAddress: MAX_CONNECTIONS / 16, holds: true },
};

/** The addresses 127.n.0.0/16 of a trusted proxy. */
export const PROXY_NETWORK = 7;

/** The loads next to the customer, by name. Their access tokens are new. */
export async function loadsOf(service: HttpCaller, filled: Filled) {
  const collector = await tokenOf(service, filled.collector);
  const creator = await tokenOf(service, filled.creator);
  const fat = await tokenOf(service, filled.fat);
  const logins = filled.accounts.map(({ email }) =>
    onTheWire('POST', '/auth/login', { body: { email, password: PASSWORD } }),
  );
  const registration = { name: 'Ada', email: `${UNIQUE}@example.com`, password: PASSWORD };
  // An address may register only 20 accounts an hour.
  const registering = { body: registration, forwardedFor: ADDRESS };
  const clientId = filled.creator.clients[0];
  const project = { clientId, projectName: 'Shop', duration: 6, services: ['Hosting'] };
  const creation = { body: project, token: creator };
  const hook = { url: `https://${UNIQUE}.example/`, types: ['*'] };
  const webhook = onTheWire('POST', '/webhooks', { body: hook, token: creator });
  const batch = { count: 100, duration: 6, services: ['Hosting'], metadata: METADATA };
  const batches = `/projects/${filled.fat.projects[0]}/licenses/batch`;
  const unknown = { key: unknownKey() };
  const ofOneAddress = ['/validate', '/validate/activate', '/auth/login'].map((path) =>
    onTheWire('POST', path, { body: unknown }),
  );
  const loads = {
    logins: callersOf(100, ...logins),
    registrations: {
      ...callersOf(60, onTheWire('POST', '/auth/register', registering)),
      network: PROXY_NETWORK,
    },
    creations: callersOf(64, onTheWire('POST', '/projects/createProject', creation)),
    'webhook-names': callersOf(40, webhook),
    'one-login': { ...callersOf(20, logins[0]!), callersPerAddress: 10 },
    dashboards: callersOf(40, onTheWire('GET', '/dashboard', { token: collector })),
    'one-address': { ...callersOf(100, ...ofOneAddress), callersPerAddress: 100 },
    ...(await loadsBy(service, filled.large)),
    ...loadsByMachines(filled),
    'fat-lists': callersOf(32, onTheWire('GET', '/licenses?limit=100', { token: fat })),
    batches: callersOf(8, onTheWire('POST', batches, { body: batch, token: fat })),
    connections: TOO_MANY,
    'nginx-connections': TOO_MANY,
    'nginx-requests': {
      ...callersOf(MANY, onTheWire('OPTIONS', '/x'), onTheWire('GET', '/health/ready')),
      callersPerAddress: 20,
    },
  };
  const inNetworks = Object.entries(loads).map(([name, load], index) => {
    return [name, { network: STUCK.network + 1 + index, ...load }] as const;
  });
  return Object.fromEntries<Callers>(inNetworks);
}

/** Another account, which lists, writes and logs in. */
export async function neighborOf(service: HttpCaller, filled: Filled): Promise<Callers> {
  const token = await tokenOf(service, filled.neighbor);
  // A hundred logins would end the token's session.
  const { email } = filled.accounts.at(-1)!;
  const requests = [
    onTheWire('GET', '/licenses?status=PENDING&limit=50', { token }),
    onTheWire('POST', '/clients', {
      token,
      body: { name: 'Acme', email: `${UNIQUE}@acme.example` },
    }),
    onTheWire('POST', '/auth/login', { body: { email, password: PASSWORD } }),
  ];
  return { network: 6, callers: 6, callersPerAddress: 6, rate: 3, requests };
}

/** Each request comes from a different address, at least one per machine. */
function loadsByMachines({ roomy, full }: Filled) {
  const from = { network: PROXY_NETWORK, ...callersOf(64) };
  const request = (path: string, { key }: { key: string }, fingerprint: string) =>
    onTheWire('POST', path, { body: { key, fingerprint }, forwardedFor: ADDRESS });
  const heartbeats = Array.from({ length: MACHINES }, (_, machine) =>
    request('/validate/heartbeat', roomy, fingerprintOf(machine)),
  );
  const [activations, rejected] = [roomy, full].map((license) => [
    request('/validate/activate', license, `new-machine-${UNIQUE}`),
  ]);
  return {
    heartbeats: { ...from, requests: heartbeats, expects: 200 },
    activations: { ...from, requests: activations!, expects: 200 },
    // All its seats are taken.
    'activations-full': { ...from, requests: rejected!, expects: 403 },
  };
}

type Call = [method: string, path: string, body?: object];

const get = (...paths: string[]) => paths.map((path): Call => ['GET', path]);

/** License filters that match nothing but may require reading many licenses. */
const NO_LICENSES = [
  'status=REVOKED',
  'product=none',
  'expiresBefore=2001-01-01T00:00:00.000Z',
  'status=PENDING&expiresBefore=2101-01-01T00:00:00.000Z',
];

type RequestsOf = (account: FilledAccount) => readonly Call[];

/** Loads by a signed-in account: its requests, sent repeatedly. */
const ACCOUNT_LOADS: Readonly<Record<string, RequestsOf>> = {
  summaries: () => get('/dashboard/summary', '/dashboard/summary?days=90'),
  overviews: () => get('/dashboard'),
  scans: () =>
    get(
      '/licenses?entitlement=none',
      '/licenses?metadata=seller:nobody',
      '/licenses?status=SUSPENDED&status=REVOKED&sort=expiresAt',
      '/licenses?createdBefore=2020-01-01T00:00:00Z&sort=expiresAt&total=true',
    ),
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

/** The {@link ACCOUNT_LOADS} by an account, with as many requests in progress as allowed. */
async function loadsBy(service: HttpCaller, account: FilledAccount) {
  const token = await tokenOf(service, account);
  const loads = Object.entries(ACCOUNT_LOADS).map(([name, requestsOf]) => {
    const requests = requestsOf(account).map(([method, path, body]) =>
      onTheWire(method, path, { body, token }),
    );
    return [`${name}-large`, callersOf(32, ...requests)] as const;
  });
  // The short form sends all of them in turn.
  const all = () => callersOf(32, ...loads.flatMap(([, { requests }]) => requests));
  return FORM === 'short' ? { large: all() } : Object.fromEntries(loads);
}

async function tokenOf(service: HttpCaller, { email }: FilledAccount): Promise<string> {
  const { body } = await service.post('/auth/login', { email, password: PASSWORD });
  return (body as { accessToken: string }).accessToken;
}
