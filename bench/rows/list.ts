import type { Engine } from '../../test/engines.js';
import { load } from '../load.js';
import { atMost, compare, ratio, type Row } from './row.js';
import { fill, LICENSES, onStore, SECONDS } from './runs.js';

/** Page size. */
const FEW = 100;

/** Milliseconds per read in an account with many licenses, one request at a time. */
export const list = (engine: Engine): Promise<Row[]> =>
  onStore(engine, async (operator) => {
    const service = await operator.start();
    const many = await fill(service, LICENSES);
    const few = await fill(service, FEW);
    const { url } = service;
    const path = `/licenses?limit=${FEW}`;
    const expected = { status: 200, body: '^{"data":.{10000,}"nextCursor":"' };
    const p50 = async ({ token }: { token: string }) => {
      const requests = [{ method: 'GET', path, headers: { Authorization: `Bearer ${token}` } }];
      return (await load({ url, connections: 1, seconds: SECONDS, requests, expected })).p50;
    };
    const compared = await compare(
      () => p50(many),
      () => p50(few),
    );
    const measured = `GET ${path}, ms, ${engine}, ${LICENSES} licenses`;
    return [ratio(measured, `of ${FEW}`, atMost(1.5), compared)];
  });
