// Sends requests from a separate process: see load.ts.
import autocannon from 'autocannon';

process.once('disconnect', () => process.exit());
process.once('message', async (job) => process.send(await send(job)));

/** autocannon's own histogram has whole milliseconds and its rate whole samples, so both are measured here. */
async function send({ url, connections, seconds, requests, expected }) {
  const body = new RegExp(expected.body);
  const wrong = new Set();
  const milliseconds = [];
  const share = Math.floor(requests.length / connections);
  const isShared = share * connections === requests.length;
  if (seconds === undefined && !isShared) wrong.add('left requests unsent');
  let connected = 0;
  let [first, last] = [0, 0];
  const run = autocannon({
    ...{ url, connections, timeout: 30, sampleInt: 100 },
    ...(seconds === undefined ? { amount: share * connections } : { duration: seconds }),
    // Each connection has its own requests, because a license is activated once.
    setupClient: (client) => {
      client.setRequests(requests.slice(connected * share, (connected + 1) * share));
      connected += 1;
    },
    verifyBody: (text) => {
      if (!body.test(text)) wrong.add(`responded ${text}`);
      return true;
    },
  });
  run.once('start', () => (first = performance.now()));
  run.on('response', (_client, status, _bytes, took) => {
    if (status !== expected.status) wrong.add(`responded with status ${status}`);
    last = performance.now();
    milliseconds.push(took);
  });
  run.on('reqError', (error) => wrong.add(error.message));
  await run;
  milliseconds.sort((a, b) => a - b);
  const perSecond = milliseconds.length / ((last - first) / 1000);
  const p50 = milliseconds[Math.floor(milliseconds.length / 2)];
  return { wrong: [...wrong].slice(0, 5), perSecond, p50 };
}
