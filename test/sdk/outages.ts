import { FOREIGN, issueCertificate, issueRejection, rejected } from './issuer.js';
import type { ScriptedReply } from './scenario.js';
import { scripted } from './scripted-reply.js';
import type { Reply } from './scripted-service.js';

const PAGE = { text: '<h1>Hello</h1>' };

const REPLIES: readonly ScriptedReply[] = [
  ...['hang_up', 'silence', 'half'].map((fault) => ({ fault })),
  { status: 429, headers: { 'Retry-After': '60' }, body: { success: false, status: 429 } },
  { status: 503, body: { code: 'OVERLOADED' } },
  { status: 500, body: { status: 'revoked' } },
  { status: 404, body: { code: 'ROUTE_NOT_FOUND' } },
  PAGE,
  { status: 302, headers: { Location: 'https://portal.example' }, ...PAGE },
  { text: '{"valid":true,"status":"act' },
  { text: ' '.repeat(70_000) },
  { body: { status: 'pending' } },
  { body: { status: 'invalid' } },
  { body: { status: 'active' } },
  { body: { status: 'active', leaseEndsAt: '2027-01-15T09:00:00.000Z' } },
  { body: { status: 'active', certificate: issueCertificate({}, FOREIGN) } },
  // Of somebody in the network, who has no key of the issuer, or replays what it has signed.
  { body: { status: 'revoked' } },
  { status: 403, body: { code: 'LICENSE_REVOKED' } },
  { body: { status: 'revoked', rejection: issueRejection('revoked', 'A'.repeat(22)) } },
];

/** What takes the place of a good response. */
export const OUTAGES: readonly Reply[] = [
  ...REPLIES.map(scripted),
  (response) => response.end(Buffer.from([0xff, 0x00, 0x7b, 0xfe])),
  rejected('suspended', FOREIGN),
];
