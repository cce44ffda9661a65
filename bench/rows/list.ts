import type { Engine } from '../../test/engines.js';
import { load } from '../load.js';
import { atMost, compare, ratio, type Row, summary, value } from './row.js';
import { fill, LICENSES, onStore, ROUNDS, SECONDS } from './runs.js';

/** As many as a page has. */
const FEW = 100;

/** Milliseconds of reads of an account with many licenses, one request at a time. */
export const list = (engine: Engine): Promise<Row[]> =>
  onStore(engine, async (operator) => {
    const service = await operator.start();
    const many = await fill(service, LICENSES);
    const few = await fill(service, FEW);
    const { url } = service;
    const p50 = async (path: string, body: string, token: string) => {
      const expected = { status: 200, body };
      const requests = [{ method: 'GET', path, headers: { Authorization: `Bearer ${token}` } }];
      return (await load({ url, connections: 1, seconds: SECONDS, requests, expected })).p50;
    };
    const page = ({ token }: { token: string }) =>
      p50(`/licenses?limit=${FEW}`, '^{"data":.{10000,}"nextCursor":"', token);
    const compared = await compare(
      ROUNDS,
      () => page(many),
      () => page(few),
    );
    const summaries: number[] = [];
    while (summaries.length < ROUNDS) {
      summaries.push(
        await p50('/dashboard/summary', '^{"licensesByStatus":{"PENDING":', many.token),
      );
    }
    const of = `${engine}, ${LICENSES} licenses`;
    return [
      ratio(`GET /licenses?limit=${FEW}, ms, ${of}`, `of ${FEW}`, atMost(1.5), compared),
      value(`GET /dashboard/summary, ${of}`, atMost(300), 'ms', summary(summaries)),
    ];
  });
