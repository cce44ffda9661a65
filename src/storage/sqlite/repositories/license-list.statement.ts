import type { LicenseQuery } from '../../../licenses/licenses.repository.js';
import type { PositionRow, Row } from './rows.js';

/** The statement of a page of licenses, and its parameters beside $user and $limit. */
export interface LicenseListStatement {
  readonly sql: string;
  readonly parameters: Row;
}

/** @param start where the page begins */
export function licenseListStatement(
  query: LicenseQuery,
  start: PositionRow,
  now: Date,
): LicenseListStatement {
  const { status, client, project, product, sort, order } = query;
  const { from, until } = expiryRange(query, start, now);
  const given: Row = {
    ...(status && { status: status === 'EXPIRED' ? 'ACTIVE' : status }),
    ...(client !== undefined && { client }),
    ...(project !== undefined && { project }),
    ...(product !== undefined && { product }),
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
  };
  // A plus sign excludes an index from the query plan: the index of the narrowest parent is the right one.
  const conditions = [
    project !== undefined || client !== undefined ? '+user = $user' : 'user = $user',
    ...('status' in given ? ['status = $status'] : []),
    ...('client' in given
      ? [`${project === undefined ? '' : '+'}client = ${own('clients', '$client')}`]
      : []),
    ...('project' in given ? [`project = ${own('projects', '$project')}`] : []),
    ...('product' in given
      ? [`${project === undefined && client === undefined ? '' : '+'}product = $product`]
      : []),
    ...('from' in given ? ['expiresAt >= $from'] : []),
    ...('until' in given ? ['expiresAt < $until'] : []),
    ...(query.expiresBefore ? ['activatedAt IS NOT NULL'] : []),
    `(${sort === 'expiresAt' ? '+' : ''}${sort}, _id) ${order === 'asc' ? '>' : '<'} ($time, $_id)`,
  ];
  const sql = `SELECT * FROM licenses WHERE ${conditions.join(' AND ')}
    ORDER BY ${sort} ${order}, _id ${order} LIMIT $limit`;
  return { sql, parameters: { ...given, ...start } };
}

/** The id of a parent if it is the account's, else nothing: then no license is read. */
const own = (table: string, _id: string) =>
  `(SELECT _id FROM ${table} WHERE _id = ${_id} AND owner = $user)`;

/** All bounds of `expiresAt` as one range in milliseconds, which an index scan can use. */
function expiryRange(
  { status, expiresBefore, sort, order }: LicenseQuery,
  { time }: PositionRow,
  now: Date,
): { from: number | undefined; until: number | undefined } {
  const from: number[] = [];
  const until: number[] = [];
  if (status === 'ACTIVE') from.push(now.getTime() + 1);
  if (status === 'EXPIRED') until.push(now.getTime() + 1);
  if (expiresBefore) until.push(expiresBefore.getTime());
  if (sort === 'expiresAt' && order === 'asc') from.push(time);
  if (sort === 'expiresAt' && order === 'desc') until.push(time + 1);
  return {
    from: from.length > 0 ? Math.max(...from) : undefined,
    until: until.length > 0 ? Math.min(...until) : undefined,
  };
}
