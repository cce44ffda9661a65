// The option releasedAt, the state update_not_covered, mayUpdateTo(), and the terms meant for people.
import { DAY, NOW } from '../vectors/certificates.mjs';
import {
  END,
  active,
  at,
  call,
  certificate,
  has,
  install,
  invalid,
  iso,
  json,
  refresh,
  replies,
  restart,
  running,
  scenario,
  status,
  valid,
  validation,
} from './scenario-list.mjs';

const UNTIL = '2027-01-13T00:00:00.000Z';
const FACTS = { licensee: 'Acme GmbH', plan: 'Pro', updatesUntil: UNTIL };
const COVERED = certificate('with updates', { license: { ...FACTS, entitlements: ['sso'] } });
const NOT_COVERED = invalid('update_not_covered', 'updates_ended');
const mayUpdateTo = (day, returns) => call('mayUpdateTo', day, { returns });
const [NEW, OLD] = [{ releasedAt: '2027-01-14' }, { releasedAt: '2027-01-13' }];

export function addUpdates() {
  addBuilds();
  addUpdaters();
  addFacts();
}

function addBuilds() {
  scenario(
    'a build released after the end of the updates does not run, but every older one does',
    {},
    running(COVERED),
    restart(NEW),
    status({ ...NOT_COVERED, validUntil: null, services: [], entitlements: [] }),
    has('sso', false),
    restart(OLD),
    status(valid({ validUntil: iso(END) })),
    restart(),
    status(valid()),
  );
  const renewed = certificate('with renewed updates', {
    license: { updatesUntil: '2028-01-13T00:00:00.000Z' },
  });
  scenario(
    'a new build runs as soon as a certificate includes it',
    { program: NEW },
    replies(active(COVERED)),
    call('activate', 'a key', { returns: NOT_COVERED }),
    replies(json(503, {}), active(renewed)),
    refresh({ state: 'update_not_covered', reason: 'server_error' }),
    refresh(valid({ updatesUntil: '2028-01-13T00:00:00.000Z' })),
  );
  scenario(
    'an installed certificate does not cover a new build, but an older build uses it',
    { program: NEW },
    install(COVERED, NOT_COVERED),
    restart(OLD),
    status(valid()),
  );
  scenario(
    'ensure refreshes a license that does not include the build, and returns that',
    { program: NEW },
    replies(active(COVERED)),
    call('activate', 'a key', {}),
    call('ensure', undefined, { returns: NOT_COVERED, requests: ['/validate'] }),
  );
  scenario(
    'the remembered time is not written for a build that is not covered',
    {},
    running(COVERED),
    restart(NEW),
    at(NOW + DAY),
    status(NOT_COVERED, { unchanged: true }),
  );
}

function addUpdaters() {
  scenario(
    'mayUpdateTo says which builds the license includes',
    {},
    running(COVERED),
    mayUpdateTo('2027-01-12', true),
    mayUpdateTo('2027-01-13', true),
    mayUpdateTo('2027-01-14', false),
    mayUpdateTo('2030-01-01', false),
    restart(NEW),
    mayUpdateTo('2027-01-13', true),
    mayUpdateTo('2027-01-14', false),
  );
  scenario(
    'mayUpdateTo includes every build if the updates have no end',
    {},
    running(),
    mayUpdateTo('0001-01-01', true),
    mayUpdateTo('9999-12-31', true),
  );
  scenario(
    'mayUpdateTo is false for a text that is not a day',
    {},
    running(),
    ...['', 'today', '2027-1-2', '2027-02-29', '2027-01-15T00:00:00.000Z', ' 2027-01-15'].map(
      (text) => mayUpdateTo(text, false),
    ),
  );
  scenario(
    'mayUpdateTo is false for a license with which no build may run',
    {},
    mayUpdateTo('2027-01-01', false),
    running(),
    at(END),
    mayUpdateTo('2027-01-01', false),
    at(NOW),
    replies(validation('revoked')),
    refresh(invalid('revoked', 'rejected')),
    mayUpdateTo('2027-01-01', false),
  );
}

function addFacts() {
  const none = {
    ...{ validUntil: null, expiresAt: null, perpetual: false, updatesUntil: null },
    ...{ licensee: null, plan: null, services: [], entitlements: [] },
  };
  const facts = { ...FACTS, expiresAt: '2027-06-30T10:15:00.000Z', perpetual: false };
  scenario(
    'the status shows the terms of the license even while it is rejected and after its certificate has expired',
    {},
    status({ ...invalid('none'), ...none }),
    running(COVERED),
    status(valid({ ...facts, validUntil: iso(END) })),
    replies(json(503, {}), validation('suspended')),
    refresh(valid({ ...facts, reason: 'server_error' })),
    refresh({ ...invalid('suspended', 'rejected'), ...facts, validUntil: null }),
    restart(),
    at(END),
    status({ ...invalid('suspended', 'rejected'), ...facts, validUntil: null, services: [] }),
    restart({ fingerprint: 'the fingerprint of another machine' }),
    status({ ...invalid('other_machine', 'state_file'), ...none }),
  );
}
