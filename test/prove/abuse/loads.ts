import { PASSWORD } from '../../e2e/developer.js';
import type { HttpCaller } from '../../http-caller.js';
import { onTheWire, UNIQUE } from '../overload/on-the-wire.js';
import { times } from '../prove.js';
import type { Filled } from './filled-store.js';

/** The job of callers.mjs, without the service and the duration. */
export interface Callers {
  /** The callers' addresses are in 127.network.0.0/16. */
  readonly network: number;
  readonly callers: number;
  readonly requests: readonly string[];
  readonly callersPerAddress: number;
  readonly servedPerAddress?: number;
  readonly holds?: boolean;
}

/** The job of stuck-callers.mjs, without the service and the duration. */
export interface StuckCallers {
  readonly network: number;
  readonly callers: readonly { readonly kind: string; readonly texts: readonly string[] }[];
  /** Between two callers, in milliseconds. */
  readonly pause: number;
  readonly reopens: boolean;
}

/** Connections beyond which the service closes new ones: the default of MAX_CONNECTIONS. */
export const MAX_CONNECTIONS = 5000;

const TOO_MANY_CONNECTIONS = MAX_CONNECTIONS + 1000;

const sameCallers = (count: number, kind: string, ...texts: string[]) =>
  Array.from({ length: count }, () => ({ kind, texts }));

/** A hundred requests for a large response, in two parts, as 60 requests at once are not rejected. */
const UNREAD = [60, 40].map((count) => onTheWire('GET', '/docs-json').repeat(count));

/** Callers that make no progress, each with one connection. */
export const STUCK: StuckCallers = {
  network: 10,
  callers: [
    ...sameCallers(times({ short: 5, long: 60 }), 'unread', ...UNREAD),
    ...sameCallers(10, 'silent'),
    ...sameCallers(10, 'half a head', 'POST /validate HTTP/1.1\r\nHost: licen'),
    ...sameCallers(
      10,
      'half a body',
      onTheWire('POST', '/validate', { body: { key: '' } }).slice(0, -5),
    ),
  ],
  pause: 10,
  reopens: false,
};

/** The loads beside the customer, by name. */
export async function loadsOf(service: HttpCaller, filled: Filled) {
  const collector = await tokenOf(service, filled.collector);
  const creator = await tokenOf(service, filled.creator.email);
  const login = (email: string) =>
    onTheWire('POST', '/auth/login', { body: { email, password: PASSWORD } });
  const registration = { name: 'Ada', email: `${UNIQUE}@example.com`, password: PASSWORD };
  const creation = {
    clientId: filled.creator.client,
    projectName: 'Shop',
    duration: 6,
    services: ['Hosting'],
  };
  return {
    connections: {
      network: 18,
      callers: TOO_MANY_CONNECTIONS,
      callersPerAddress: TOO_MANY_CONNECTIONS,
      holds: true,
      requests: [onTheWire('GET', '/health/live')],
    },
    logins: {
      network: 11,
      callers: 100,
      callersPerAddress: 4,
      requests: filled.accounts.map(login),
    },
    registrations: {
      network: 12,
      callers: 60,
      callersPerAddress: 4,
      // An address may register 20 accounts an hour, and four callers begin with the same address.
      servedPerAddress: 5,
      requests: [onTheWire('POST', '/auth/register', { body: registration })],
    },
    creations: {
      network: 13,
      callers: 64,
      callersPerAddress: 4,
      requests: [onTheWire('POST', '/projects/createProject', { body: creation, token: creator })],
    },
    dashboards: {
      network: 14,
      callers: 40,
      callersPerAddress: 4,
      requests: [onTheWire('GET', '/dashboard', { token: collector })],
    },
    options: {
      network: 15,
      callers: 2000,
      callersPerAddress: 20,
      requests: [onTheWire('OPTIONS', '/x')],
    },
    health: {
      network: 16,
      callers: 2000,
      callersPerAddress: 20,
      requests: [onTheWire('GET', '/health/ready')],
    },
    pipelining: {
      network: 17,
      callers: sameCallers(60, 'unread', ...UNREAD),
      // All at once would be an overload, and be rejected.
      pause: times({ short: 20, long: 300 }),
      reopens: true,
    },
  } satisfies Record<string, Callers | StuckCallers>;
}

async function tokenOf(service: HttpCaller, email: string): Promise<string> {
  const { body } = await service.post('/auth/login', { email, password: PASSWORD });
  return (body as { accessToken: string }).accessToken;
}
