import autocannon from 'autocannon';
import { percentile } from './statistics.mjs';

process.once('message', async (job) => process.send(await measure(job)));

/** Measures requests a second, from the first request to the last response, and the milliseconds of a response. */
async function measure({ url, connections, seconds, amount, requests, expected }) {
  const body = new RegExp(expected.body);
  const wrong = new Set();
  const milliseconds = [];
  let first;
  let last;
  let connected = 0;
  const share = Math.floor(requests.length / connections);

  const run = autocannon({
    url,
    connections,
    timeout: 30,
    sampleInt: 100,
    ...(seconds === undefined ? { amount: amount ?? share * connections } : { duration: seconds }),
    // Each connection has its own requests, so that a license is activated only once.
    setupClient: (client) => {
      client.setRequests(requests.slice(connected * share, (connected + 1) * share));
      connected += 1;
    },
    verifyBody: (text) => {
      if (!body.test(text)) wrong.add(`responded ${text}`);
      return true;
    },
  });
  // When the connections are opened.
  run.once('start', () => (first = performance.now()));
  run.on('response', (_client, status, _bytes, took) => {
    if (status !== expected.status) wrong.add(`responded with status ${status}`);
    last = performance.now();
    milliseconds.push(took);
  });
  run.on('reqError', (error) => wrong.add(error.message));
  const cpuBefore = process.cpuUsage();
  await run;
  const { user, system } = process.cpuUsage(cpuBefore);

  milliseconds.sort((a, b) => a - b);
  const span = (last - first) / 1000;
  return {
    wrong: [...wrong].slice(0, 5),
    count: milliseconds.length,
    perSecond: milliseconds.length / span,
    p50: percentile(milliseconds, 0.5),
    p99: percentile(milliseconds, 0.99),
    /** Share of one core that the generator used: near 1, the generator limits the result. */
    generatorBusy: (user + system) / 1e6 / span,
    span,
  };
}
