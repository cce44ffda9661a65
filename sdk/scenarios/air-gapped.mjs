// request() and install(): machines without a network.
import { createHash } from 'node:crypto';
import {
  CURRENT,
  DAY,
  FINGERPRINT,
  FOREIGN,
  NEXT,
  NOW,
  PRODUCT,
} from '../vectors/certificates.mjs';
import {
  END,
  KEY,
  NO_STATE_FILE,
  OTHER_LICENSE,
  WEEK,
  active,
  at,
  call,
  certificate,
  certificates,
  change,
  fails,
  install,
  invalid,
  iso,
  refresh,
  replies,
  restart,
  running,
  scenario,
  stateFile,
  status,
  valid,
} from './scenario-list.mjs';

const YEAR = certificate('year', {
  exp: NOW + 366 * DAY,
  license: { expiresAt: '2028-06-30T10:15:00.000Z' },
});
const WEEK_TEXT = certificates.week;
const MONTH = certificate('month', { exp: NOW + 30 * DAY });
const OTHER = certificate('of another license, for a week', { sub: OTHER_LICENSE });

export function addAirGapped() {
  const check = createHash('sha256')
    .update(`license-request:v1\n${PRODUCT}\n${FINGERPRINT}`)
    .digest('hex')
    .slice(0, 8);
  scenario(
    'request is one line of JSON with the fingerprint, the product and a check of both',
    {},
    call('request', undefined, {
      returns: JSON.stringify({ fingerprint: FINGERPRINT, product: PRODUCT, check }),
      requests: [],
    }),
    NO_STATE_FILE,
  );
  scenario(
    'install licenses a machine without a network until the certificate expires',
    {},
    replies(active(WEEK)),
    install(`\r\n  ${YEAR}\n\n`, valid({ validUntil: iso(NOW + 366 * DAY) }), { requests: [] }),
    stateFile({ key: null, certificate: YEAR, installed: YEAR }),
    restart(),
    refresh(valid(), { requests: [] }),
    at(NOW + 366 * DAY - 1),
    status(valid()),
    at(NOW + 366 * DAY),
    refresh(invalid('ended', 'certificate_ended'), { requests: [] }),
  );
  scenario(
    'install accepts a certificate that is signed with the next key',
    {},
    install(certificate('signed with the next key', { key: NEXT }), valid()),
  );
  scenario(
    'install accepts the text of a file with a byte order mark',
    {},
    install(`\ufeff${WEEK}\r\n`, valid()),
  );
  const lines = (width) => WEEK_TEXT.match(new RegExp(`.{1,${width}}`, 'g'));
  for (const [name, text] of [
    ['in lines of 76 characters', lines(76).join('\r\n')],
    ['in lines of 5 characters', lines(5).join('\n')],
    [
      'quoted in a mail',
      lines(70)
        .map((line) => `> ${line}`)
        .join('\n'),
    ],
    [
      'quoted twice in a mail',
      lines(70)
        .map((line) => `>> ${line} `)
        .join('\r\n'),
    ],
    ['with spaces and tabs', lines(20).join(' \t\u00a0')],
    ['in quotes', `"${WEEK}"`],
    ['in curly quotes', `\u201c${WEEK}\u201d`],
    ['in angle brackets', `<${WEEK}>`],
    ['with invisible characters', lines(40).join('\u200b\u00ad')],
  ]) {
    scenario(
      `install accepts a certificate ${name}`,
      {},
      install(text, valid()),
      stateFile({ key: null, installed: WEEK }),
    );
  }
  const project = '665f1c2ab7e4a90012345678';
  scenario(
    'install accepts the id of the project as the product',
    { program: { product: project } },
    install(certificate('of a project', { aud: project }), valid()),
  );
  addErrors();
  addTwo();
}

function addErrors() {
  for (const [code, name, text] of [
    ['format', 'an empty text', ''],
    ['format', 'a fourth part', `${WEEK}.`],
    ['header', 'a header without members', 'e30.e30.e30'],
    ['key', 'another issuer', certificate('foreign', { key: FOREIGN })],
    ['issuer', 'the issuer claim', certificate('of another issuer', { iss: 'another' })],
    ['claims', 'a claim', certificate('with a wrong claim', { license: { services: 1 } })],
    [
      'product',
      'the product',
      certificate('of another product', { aud: 'com.example.cheap-shop' }),
    ],
    [
      'machine',
      'the machine',
      certificate('of another machine', { fingerprint: 'the fingerprint of another machine' }),
    ],
  ]) {
    scenario(
      `install throws ${code}, and keeps what is stored: ${name}`,
      {},
      running(),
      fails('install', code, { argument: text, unchanged: true }),
      status(valid()),
    );
  }
  scenario(
    'a certificate of a key that is not built in is damaged',
    {},
    running(),
    restart({ keys: [NEXT.jwk] }),
    status(invalid('damaged', 'key')),
    restart({ keys: [CURRENT.jwk] }),
    status(valid()),
  );
}

function addTwo() {
  scenario(
    'install keeps the key of the same license, so that refresh continues online',
    {},
    running(),
    install(MONTH, valid({ validUntil: iso(NOW + 30 * DAY) })),
    stateFile({ certificate: MONTH, installed: MONTH }),
  );
  scenario(
    'install drops the key of another license, which would bring back its certificate',
    {},
    running(MONTH),
    install(OTHER, valid({ validUntil: iso(END) })),
    stateFile({ key: null, certificate: OTHER, installed: OTHER }),
  );
  scenario(
    'install keeps the key if the stored certificate has become damaged, such as after a change of keys',
    {},
    running(),
    change({ certificate: certificate('foreign', { key: FOREIGN }) }),
    install(WEEK, valid()),
    stateFile({ key: KEY, installed: WEEK }),
  );
  for (const [name, first, second, kept] of [
    ['the later expiry counts, if it arrives first', MONTH, WEEK, MONTH],
    ['the later expiry counts, if it arrives last', WEEK, MONTH, MONTH],
    ['one of another license counts, even if it expires earlier', MONTH, OTHER, OTHER],
  ]) {
    scenario(
      `of two installed certificates, ${name}`,
      {},
      install(first, valid()),
      install(second, valid()),
      stateFile({ key: null, certificate: kept, installed: kept }),
    );
  }
  scenario(
    'an installed certificate lifts an older rejection',
    {},
    running(),
    change({ rejection: 'revoked' }),
    status(invalid('revoked', 'rejected')),
    install(certificate('of a second later', { iat: NOW + 1 }), valid()),
  );
}
