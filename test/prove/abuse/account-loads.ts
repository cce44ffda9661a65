import { NOBODYS } from '../../e2e/developer.js';
import type { Content } from '../overload/on-the-wire.js';
import type { FilledAccount } from './filled-store.js';

type Call = [method: string, path: string, content?: Content];

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
export const ACCOUNT_LOADS: Readonly<Record<string, RequestsOf>> = {
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
  products: ({ projects }) =>
    projects.map((project) => ['PATCH', `/projects/${project}`, { body: { product: 'shop' } }]),
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
