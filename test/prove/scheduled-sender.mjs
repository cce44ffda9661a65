// Sends requests when they are due, whether or not others have their responses: see scheduled-requests.ts.
import http from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { percentile } from './percentile.mjs';

/** Timeout for a response, in milliseconds. */
const TIMEOUT = 10_000;

async function run({ url, seconds, requests }) {
  const outcomes = {};
  const times = [];
  const keepingAlive = new http.Agent({ keepAlive: true });
  const begun = performance.now();
  const sent = requests.map(async ({ content, address, isNew }, i) => {
    const due = begun + (i / requests.length) * seconds * 1000;
    await setTimeout(Math.max(0, due - performance.now()));
    const options = { agent: isNew ? false : keepingAlive, localAddress: address };
    const outcome = await post(url, content, options).then(outcomeOf, reasonOf);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (outcome === '200') times.push(performance.now() - due);
  });
  await Promise.all(sent);
  times.sort((a, b) => a - b);
  const [p99, slowest] = [percentile(times, 0.99) ?? Infinity, times.at(-1) ?? Infinity];
  return { outcomes, sent: sent.length, p99: Math.round(p99), slowest: Math.round(slowest) };
}

async function post(url, content, options) {
  const body = JSON.stringify(content);
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  const signal = AbortSignal.timeout(TIMEOUT);
  const response = await new Promise((resolve, reject) => {
    const request = http.request(url, { method: 'POST', headers, signal, ...options });
    request.on('response', resolve).on('error', reject).end(body);
  });
  return { status: response.statusCode, body: await json(response) };
}

/** @returns `200`, or why the machine may not run */
function outcomeOf({ status, body }) {
  if (status !== 200) return `${status} ${body.code}`;
  return body.valid === false ? `200 ${body.status}` : '200';
}

/** Why a request has no response. */
const reasonOf = ({ code, name }) => (code === 'ABORT_ERR' ? 'a timeout' : (code ?? name));

process.once('disconnect', () => process.exit());
process.once('message', async (job) => process.send(await run(job)));
