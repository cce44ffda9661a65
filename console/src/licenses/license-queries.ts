import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.js';
import * as inputs from '../api/inputs.js';
import { byPages } from '../api/pages.js';
import { bodyOf } from '../api/public-client.js';
import { pollEvery } from '../api/query-client.js';
import { type License, withoutKey } from '../api/types.js';
import { type LicenseFilter, toQuery } from './license-filter.js';

/** Refetches an open license page after this many milliseconds, because a machine may have activated it. */
const POLLING = 5000;

const readPage = async (
  query: ReturnType<typeof toQuery> & {
    limit?: number | undefined;
    cursor?: string | undefined;
    total?: boolean;
  },
  signal?: AbortSignal,
) => {
  const params = { query };
  const { data, ...rest } = await bodyOf(
    api.GET('/licenses', { params, ...(signal && { signal }) }),
  );
  return { data: data.map(withoutKey), ...rest };
};

/** Reads all pages of a list. */
export async function readAllLicenses(filter: LicenseFilter): Promise<License[]> {
  const all: License[] = [];
  const { max: limit } = inputs.listLicenses.limit;
  let cursor: string | undefined;
  do {
    const { data, nextCursor } = await readPage({ ...toQuery(filter), limit, cursor });
    all.push(...data);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}

/** The licenses. Counting 100,000 takes longer than reading a page, so the total has its own query. */
export const licensesQuery = (filter: LicenseFilter) =>
  infiniteQueryOptions({
    queryKey: ['licenses', { filter }],
    queryFn: ({ pageParam: cursor, signal }) => readPage({ ...toQuery(filter), cursor }, signal),
    ...byPages,
    placeholderData: keepPreviousData,
  });

/** The number of licenses that a filter selects. */
export const licensesTotalQuery = ({ sort: _sort, order: _order, ...filter }: LicenseFilter) =>
  queryOptions({
    queryKey: ['licenses', { filter }, 'total'],
    queryFn: async ({ signal }) =>
      (await readPage({ ...toQuery(filter), limit: 1, total: true }, signal)).total,
  });

/** Rows per page of a client's licenses: enough for most clients, and quick to show. */
const CLIENT_LICENSES = 25;

/** The licenses of all projects of a client. */
export const clientLicensesQuery = (clientId: string) =>
  infiniteQueryOptions({
    queryKey: ['licenses', { clientId }],
    queryFn: ({ pageParam: cursor, signal }) =>
      readPage({ clientId, limit: CLIENT_LICENSES, cursor }, signal),
    ...byPages,
  });

export const licenseQuery = (id: string) =>
  queryOptions({
    queryKey: ['license', id],
    queryFn: async ({ signal }) =>
      withoutKey(await bodyOf(api.GET('/licenses/{id}', { params: { path: { id } }, signal }))),
    refetchInterval: () => pollEvery(POLLING),
  });

/** The machines that hold a seat on a license, newest first. */
export const machinesQuery = (id: string, search: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['license', id, 'machines', { search }],
    queryFn: async ({ pageParam: cursor, signal }) => {
      // The total comes with the first page.
      const counted = cursor === undefined ? { total: true } : {};
      const params = { path: { id }, query: { search, cursor, ...counted } };
      const { data, ...rest } = await bodyOf(
        api.GET('/licenses/{id}/machines', { params, signal }),
      );
      return { data: data.map((machine) => ({ ...machine, _id: machine.machineId })), ...rest };
    },
    ...byPages,
    // Thousands of machines are counted and searched on demand, not every few seconds.
    refetchInterval: ({ state: { data } }) => {
      const isLong = typeof data?.pages[0]?.nextCursor === 'string';
      return pollEvery(!isLong && search === undefined && POLLING);
    },
    placeholderData: keepPreviousData,
  });

export const eventsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['license', id, 'events'],
    queryFn: ({ pageParam: cursor, signal }) => {
      const params = { path: { id }, query: { cursor } };
      return bodyOf(api.GET('/licenses/{id}/events', { params, signal }));
    },
    ...byPages,
    refetchInterval: () => pollEvery(POLLING),
  });

/** The license key. Only the component that shows the key stores it. */
export const keyQuery = (id: string) =>
  queryOptions({
    queryKey: ['license', id, 'key'],
    queryFn: async ({ signal }) => {
      const license = await bodyOf(api.GET('/licenses/{id}', { params: { path: { id } }, signal }));
      return license.key;
    },
    staleTime: 0,
    gcTime: 0,
  });
