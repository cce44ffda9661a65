// Replies that say nothing about the license change only the reason.
import {
  END,
  NO_STATE_FILE,
  WEEK,
  active,
  fails,
  iso,
  json,
  page,
  refresh,
  KEY,
} from './scenario-list.mjs';
import {
  replies,
  restart,
  running,
  scenario,
  status,
  valid,
  validation,
} from './scenario-list.mjs';

const text = (httpStatus, body, headers) => ({
  status: httpStatus,
  text: body,
  headers: { 'Content-Type': 'application/json', ...headers },
});
const fault = (name) => ({ fault: name });
const GOOD = `{"valid":true,"status":"active","certificate":"${WEEK}"}`;
const LIMIT = { success: false, errors: 'too many requests, please try again later.', status: 429 };

const REPLIES = [
  ['a connection that is closed', 'no_response', fault('hang_up')],
  ['half a response', 'no_response', fault('half')],
  ['silence', 'timeout', fault('silence')],
  ['a body that trickles', 'timeout', fault('trickle')],
  ['a rate limit', 'rate_limited', json(429, LIMIT)],
  ['a rate limit that says revoked', 'rate_limited', json(429, { status: 'revoked' })],
  ['a rate limit at the activation', 'rate_limited', validation('pending'), json(429, LIMIT)],
  ['500', 'server_error', json(500, { valid: false })],
  ['503 that says revoked', 'server_error', json(503, { status: 'revoked' })],
  ['599', 'server_error', json(599, {})],
  ['600', 'not_the_service', json(600, {})],
  ['511 of a network that wants a login', 'not_the_service', page(511)],
  ['407 of a proxy', 'not_the_service', page(407, { 'Proxy-Authenticate': 'Basic realm="proxy"' })],
  ['407 with the code of the service', 'not_the_service', json(407, { code: 'LICENSE_NOT_FOUND' })],
  ['a redirect', 'not_the_service', page(302, { Location: '{service}/validate' }), active(WEEK)],
  ['a 307', 'not_the_service', page(307, { Location: '{service}/validate' }), active(WEEK)],
  ["a captive portal's page", 'not_the_service', page(200)],
  ['an empty body', 'not_the_service', text(200, '')],
  ['201 with a good body', 'not_the_service', text(201, GOOD)],
  ['204', 'not_the_service', text(204, '')],
  ['JSON that is cut off', 'not_the_service', text(200, GOOD.slice(0, -1))],
  ['JSON that is null', 'not_the_service', text(200, 'null')],
  ['JSON that is a list', 'not_the_service', text(200, '[]')],
  ['JSON that is a text', 'not_the_service', text(200, '"revoked"')],
  ['60,000 brackets', 'not_the_service', { ...text(200, '['), repeat: 60_000 }],
  ['NaN', 'not_the_service', text(200, '{"status":"revoked","message":NaN}')],
  ['no status', 'not_the_service', json(200, {})],
  ['a status that does not exist', 'not_the_service', json(200, { status: 'toString' })],
  ['a status in another case', 'not_the_service', json(200, { status: 'REVOKED' })],
  ['a status in a list', 'not_the_service', json(200, { status: ['revoked'] })],
  ['more than 64 KiB', 'not_the_service', { ...text(200, GOOD), pad: 65_537 }],
  ['a body without an end', 'not_the_service', fault('endless')],
  ['429 of more than 64 KiB', 'rate_limited', { ...text(429, GOOD), pad: 65_537 }],
  ['an unknown key', 'unknown_key', validation('invalid')],
  ['401 with a page', 'not_the_service', page(401)],
  ['404 with a page', 'not_the_service', page(404)],
  ['404 without a body', 'not_the_service', text(404, '')],
  ['404 of more than 64 KiB', 'not_the_service', { ...text(404, GOOD), pad: 65_537 }],
  ['400 with a list', 'not_the_service', json(400, [{ code: 'LICENSE_NOT_FOUND' }])],
  ['403 without a code', 'request_rejected', json(403, {})],
  ['active without a certificate', 'no_certificate', json(200, { status: 'active' })],
  ['a certificate that is null', 'no_certificate', active(null)],
];

export function addReplies() {
  for (const [name, reason, ...list] of REPLIES) {
    const program = reason === 'timeout' ? { program: { timeout: 100 } } : {};
    const expected = valid({ validUntil: iso(END), services: ['Hosting', 'Maintenance'], reason });
    scenario(
      `refresh changes nothing but the reason, which is ${reason}: ${name}`,
      {},
      running(),
      restart(program.program ?? {}),
      replies(...list),
      refresh(expected, { unchanged: true }),
      status(expected),
      restart(),
      status(valid()),
    );
    scenario(
      `activate throws ${reason}: ${name}`,
      program,
      replies(...list),
      fails('activate', reason, { argument: KEY }),
      NO_STATE_FILE,
    );
  }
  scenario(
    'the reason is no_response if nothing listens',
    {},
    running(),
    restart({ service: 'http://127.0.0.1:2' }),
    refresh(valid({ reason: 'no_response' }), { unchanged: true }),
  );
  scenario(
    'the reason is untrusted_server if the TLS certificate is not trusted',
    { needsTls: true },
    running(),
    restart({ service: '{untrusted}' }),
    refresh(valid({ reason: 'untrusted_server' }), { requests: [], unchanged: true }),
    fails('activate', 'untrusted_server', { argument: KEY, requests: [] }),
  );
  scenario(
    'a response of 64 KiB is accepted',
    {},
    running(),
    replies({ ...text(200, GOOD), pad: 65_536 }),
    refresh(valid()),
  );
  const reasons = [
    [json(503, {}), valid({ reason: 'server_error' })],
    [active(WEEK), valid()],
    [json(503, {}), valid({ reason: 'server_error' })],
    [validation('revoked'), { state: 'revoked', reason: 'rejected' }],
  ];
  scenario(
    'a reason is reported until the next good response, or a rejection',
    {},
    running(),
    replies(...reasons.map(([reply]) => reply)),
    ...reasons.flatMap(([, returns]) => [refresh(returns), status(returns)]),
  );
}
