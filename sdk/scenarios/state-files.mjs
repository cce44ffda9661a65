// status() and the state file.
import { DAY, FOREIGN, LICENSE_END, NOW } from '../vectors/certificates.mjs';
import {
  END,
  KEY,
  NO_STATE_FILE,
  OTHER_LICENSE,
  activate,
  at,
  certificate,
  change,
  fails,
  files,
  forget,
  has,
  invalid,
  iso,
  json,
  refresh,
  replies,
  restart,
  running,
  scenario,
  stateFile,
  stateMachine,
  status,
  valid,
  validation,
} from './scenario-list.mjs';

const NOTHING = { validUntil: null, services: [], entitlements: [] };
const DAMAGED = invalid('damaged', 'state_file');

export function addStateFiles() {
  addStatus();
  addEntitlements();
  addDamage();
  addOwners();
}

function addStatus() {
  scenario(
    'the state is none before the first activation, and nothing is written',
    {},
    status({ ...invalid('none'), ...NOTHING }, { requests: [] }),
    NO_STATE_FILE,
    files(),
  );
  scenario(
    'the state is ended as soon as the certificate ends',
    {},
    running(),
    at(END - 0.001),
    status(valid({ validUntil: iso(END) })),
    at(END),
    status({ ...invalid('ended', 'certificate_ended'), ...NOTHING, validUntil: iso(END) }),
  );
  const beyond = certificate('beyond the license', { exp: LICENSE_END + DAY });
  scenario(
    'the state is expired as soon as the license ends',
    {},
    running(beyond),
    at(LICENSE_END - 1),
    status(valid({ validUntil: iso(LICENSE_END) })),
    at(LICENSE_END),
    status({ ...invalid('expired', 'license_expired'), validUntil: iso(LICENSE_END) }),
  );
  scenario(
    'the state is none again after forget',
    {},
    running(),
    forget(),
    status(invalid('none')),
    files(),
    forget(),
  );
  scenario(
    'the state is none without a reason once another process has forgotten the license',
    {},
    running(),
    replies({ ...json(503, {}), meanwhile: [forget()] }),
    refresh(invalid('none')),
  );
  const forever = { expiresAt: '9999-12-31T23:59:59.999Z', duration: null, perpetual: true };
  scenario(
    'a perpetual license is valid until its certificate ends',
    {},
    running(certificate('perpetual', { license: forever })),
    status(valid({ validUntil: iso(END) })),
  );
  scenario(
    'a perpetual license with a certificate that outlasts every calendar is valid',
    {},
    running(certificate('beyond every calendar', { license: forever, exp: 2 ** 53 - 1 })),
    status(valid({ validUntil: '9999-12-31T23:59:59.999Z' })),
  );
}

function addEntitlements() {
  const entitled = certificate('with entitlements', {
    license: { entitlements: ['export.pdf', 'sso'] },
  });
  scenario(
    'entitlements are listed and found while the license is valid, even if the last refresh failed',
    {},
    has('sso', false),
    running(entitled),
    status(valid({ entitlements: ['export.pdf', 'sso'] })),
    ...[
      ['sso', true],
      ['export.pdf', true],
      ['export', false],
      ['SSO', false],
      ['length', false],
    ].map(([name, isFound]) => has(name, isFound)),
    replies(json(503, {})),
    refresh(valid({ reason: 'server_error', entitlements: ['export.pdf', 'sso'] })),
    has('sso', true),
    at(END),
    status({ state: 'ended', entitlements: [] }),
    has('sso', false),
  );
}

function addDamage() {
  for (const text of ['', '{"version":1,', 'null', '[]', '{}', '1']) {
    scenario(
      `an activation replaces a state file that is damaged: ${JSON.stringify(text)}`,
      {},
      running(),
      { disk: { text } },
      status({ ...DAMAGED, ...NOTHING }),
      refresh(DAMAGED, { requests: [] }),
      activate(valid()),
      stateFile({}),
    );
  }
  for (const members of [
    ...[{ version: 2 }, { version: '1' }, { version: true }, { machine: null }],
    ...[{ key: 1 }, { certificate: [] }, { installed: 1 }, { rejection: 'ended' }],
    ...[{ rejection: ['revoked'] }, { rememberedTime: '0' }, { rememberedTime: -1 }],
    ...[{ rememberedTime: 0.5 }, { rememberedTime: true }, { rememberedTime: null }],
  ]) {
    scenario(
      `a state file is damaged with ${JSON.stringify(members)}`,
      {},
      running(),
      change(members),
      status(DAMAGED),
      refresh(DAMAGED, { requests: [] }),
    );
  }
  for (const name of ['version', 'machine', 'key', 'certificate', 'rejection', 'rememberedTime']) {
    scenario(
      `a state file is damaged without ${name}`,
      {},
      running(),
      { disk: { remove: [name] } },
      status(DAMAGED),
    );
  }
  const bytes = (...parts) => Buffer.concat(parts.map((part) => Buffer.from(part)));
  for (const [name, content] of [
    ['with a byte order mark', bytes([0xef, 0xbb, 0xbf], '{"version":1}')],
    ['that is not UTF-8', bytes('{"version":1,"added":"', [0xff], '"}')],
    ['in UTF-16', Buffer.from('{"version":1}', 'utf16le')],
    ['with 30,000 brackets', bytes('['.repeat(30_000), ']'.repeat(30_000))],
    ['with NaN', bytes('{"version":1,"added":NaN}')],
    ['with a comment', bytes('{"version":1}//')],
    ['with NUL bytes', Buffer.alloc(100)],
  ]) {
    scenario(
      `a state file is damaged ${name}`,
      {},
      running(),
      { disk: { base64: content.toString('base64') } },
      status(DAMAGED),
    );
  }
  scenario(
    'a state file of 64 KiB is read, and a longer one is damaged',
    {},
    running(),
    { disk: { pad: 65_536 } },
    status(valid()),
    { disk: { pad: 65_537 } },
    status(DAMAGED),
  );
  for (const [name, value, returns] of [
    ['an integer of 5,000 digits', `1${'0'.repeat(5000)}`, valid()],
    ['a number beyond every double', '1e400', valid()],
    ['64 levels of nesting', `${'['.repeat(63)}${']'.repeat(63)}`, valid()],
    ['65 levels of nesting', `${'['.repeat(64)}${']'.repeat(64)}`, DAMAGED],
    ['a lone surrogate', '"\\ud800"', DAMAGED],
    ['a pair of surrogates', '"\\ud83d\\udcbb"', valid()],
    ['an escaped backslash before the letters of a surrogate', '"\\\\ud800"', valid()],
  ]) {
    scenario(
      `all languages read a state file with another member alike: ${name}`,
      {},
      running(),
      { disk: { member: value } },
      status(returns),
    );
  }
  scenario(
    'the next write of a state file drops members that the SDK does not know',
    {},
    running(),
    change({ added: 1 }),
    activate(valid()),
    stateFile({}),
  );
  for (const [name, installed] of [
    [
      'of another license',
      certificate('of another license, for a month', { sub: OTHER_LICENSE, exp: NOW + 30 * DAY }),
    ],
    ['of another key', certificate('foreign, for a month', { key: FOREIGN, exp: NOW + 30 * DAY })],
    ['that is not a certificate', 'text'],
  ]) {
    scenario(
      `an installed certificate ${name} keeps nothing`,
      {},
      running(),
      change({ installed }),
      status(valid({ validUntil: iso(END) })),
    );
  }
  scenario(
    'a state file without a certificate is none, or its rejection',
    {},
    running(),
    change({ certificate: null }),
    status(invalid('none')),
    change({ rejection: 'revoked' }),
    status(invalid('revoked', 'rejected')),
    refresh(valid()),
  );
}

function addOwners() {
  const fingerprint = 'the fingerprint of another machine';
  for (const [name, members] of [
    ['unchanged', {}],
    ['with a wrong key', { key: 1 }],
    ['with wrong members', { certificate: 2, rejection: 3, rememberedTime: -4 }],
  ]) {
    scenario(
      `a state file of another machine is rejected whatever else it holds: ${name}`,
      {},
      running(),
      change(members),
      restart({ fingerprint }),
      status(invalid('other_machine', 'state_file')),
      refresh(invalid('other_machine', 'state_file'), { requests: [] }),
    );
  }
  scenario(
    'a state file of another machine is replaced by an activation',
    {},
    running(),
    change({ machine: stateMachine({ fingerprint }) }),
    status(invalid('other_machine', 'state_file')),
    activate(valid()),
    stateFile({}),
  );
  const product = 'com.example.other';
  scenario(
    'two products in one folder have a state file each',
    {},
    running(),
    restart({ product }),
    status(invalid('none')),
    replies(validation('revoked')),
    fails('activate', 'revoked', { argument: KEY }),
    forget(),
    restart({ product: 'COM.EXAMPLE.WEB-SHOP' }),
    status(invalid('none')),
    restart(),
    status(valid()),
  );
}
