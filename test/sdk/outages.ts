import { ISSUER } from './customer.js';
import { FOREIGN } from '../../sdk/vectors/certificates.mjs';
import { Issuer } from './issuer.js';
import { json, type Reply } from './scripted-service.js';
import type { ScriptedReply } from './scenario.js';
import { send } from './scripted-reply.js';

const IMPOSTOR = new Issuer(FOREIGN);

const text =
  (body: string | Buffer): Reply =>
  (response) =>
    response.end(body);

const PAGE = { text: '<h1>Hello</h1>' };

/** As a scenario describes it. */
const scripted =
  (reply: ScriptedReply): Reply =>
  (response) =>
    send(reply, response);

/** What takes the place of a good response. */
export const OUTAGES: readonly Reply[] = [
  ...['hang_up', 'silence', 'half'].map((fault) => scripted({ fault })),
  json(429, { success: false, errors: 'too many requests', status: 429 }, { 'Retry-After': '60' }),
  json(503, { code: 'OVERLOADED' }),
  json(500, { status: 'revoked' }),
  json(404, { code: 'ROUTE_NOT_FOUND' }),
  scripted(PAGE),
  scripted({ status: 302, headers: { Location: 'https://portal.example' }, ...PAGE }),
  text('{"valid":true,"status":"act'),
  text(Buffer.from([0xff, 0x00, 0x7b, 0xfe])),
  text(' '.repeat(70_000)),
  json(200, { status: 'pending' }),
  json(200, { status: 'invalid' }),
  json(200, { status: 'active' }),
  json(200, { status: 'active', leaseEndsAt: '2027-01-15T09:00:00.000Z' }),
  json(200, { status: 'active', certificate: IMPOSTOR.certificate() }),
  // Of somebody in the network, who has no key of the issuer, or replays what it has signed.
  json(200, { status: 'revoked' }),
  json(403, { code: 'LICENSE_REVOKED' }),
  (response, { nonce = '' }) =>
    json(200, { status: 'suspended', rejection: IMPOSTOR.rejection('suspended', nonce) })(
      response,
      {},
    ),
  json(200, { status: 'revoked', rejection: ISSUER.rejection('revoked', 'A'.repeat(22)) }),
];
