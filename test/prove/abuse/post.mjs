import http from 'node:http';
import { json } from 'node:stream/consumers';

/** Timeout for a response, in milliseconds. */
const TIMEOUT = 10_000;

/**
 * Sends a body as JSON.
 *
 * @param {http.RequestOptions} options the agent, or the address of the caller
 */
export async function post(url, content, options) {
  const body = JSON.stringify(content);
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  const signal = AbortSignal.timeout(TIMEOUT);
  const response = await new Promise((resolve, reject) => {
    const request = http.request(url, { method: 'POST', headers, signal, ...options });
    request.on('response', resolve).on('error', reject).end(body);
  });
  return { status: response.statusCode, body: await json(response) };
}

/** Why a request has no response. */
export const reasonOf = ({ code, name }) => (code === 'ABORT_ERR' ? 'a timeout' : (code ?? name));

export function count(counts, name) {
  counts[name] = (counts[name] ?? 0) + 1;
}
