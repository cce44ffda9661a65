// Receives webhooks of the license service, verifies their signatures, and prints each event once. Only Node, no packages.
import { createHmac, timingSafeEqual } from 'node:crypto';
import http from 'node:http';

const key = Buffer.from(process.env.WEBHOOK_SECRET.replace('whsec_', ''), 'base64');
const TOLERANCE = 5 * 60;
const MAX_BODY = 64 * 1024;
/** The ids of received messages: store them in your database for a month. */
const seen = new Set();

/** Whether the service signed these bytes within the last minutes. */
function isGenuine(headers, body) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  if (!(Math.abs(Date.now() / 1000 - timestamp) <= TOLERANCE)) return false;
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  return String(headers['webhook-signature'])
    .split(' ')
    .map((each) => Buffer.from(each.replace('v1,', ''), 'base64'))
    .some((each) => each.length === expected.length && timingSafeEqual(each, expected));
}

const server = http.createServer(async (request, response) => {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > MAX_BODY) return request.destroy();
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  if (!isGenuine(request.headers, body)) return response.writeHead(400).end();
  const id = request.headers['webhook-id'];
  if (!seen.has(id)) {
    seen.add(id);
    const { type, data } = JSON.parse(body);
    console.log(`${type} ${data.subject.name}`);
  }
  response.writeHead(204).end();
});

server.listen(Number(process.env.PORT ?? 4000), '127.0.0.1', () =>
  console.log(`Listening on port ${server.address().port}`),
);
