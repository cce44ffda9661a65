// An activation while another key, or another certificate, is stored.
import { DAY, NOW } from '../vectors/certificates.mjs';
import {
  OTHER_KEY,
  OTHER_LICENSE,
  WEEK,
  activate,
  active,
  call,
  certificate,
  fails,
  install,
  iso,
  meanwhile,
  replies,
  restart,
  running,
  scenario,
  stateFile,
  status,
  valid,
  validation,
} from './scenario-list.mjs';

export function addTwoKeys() {
  const other = certificate('of another license', {
    ...{ sub: OTHER_LICENSE, exp: NOW + DAY },
    license: { services: ['Support'] },
  });
  scenario(
    'a second key replaces the first on success, even if its certificate expires earlier',
    {},
    running(),
    replies(active(other)),
    call('activate', OTHER_KEY, { returns: valid({ services: ['Support'] }) }),
    stateFile({ key: OTHER_KEY, certificate: other }),
  );
  scenario(
    'a second key leaves the first if it is rejected',
    {},
    running(),
    replies(validation('revoked')),
    fails('activate', 'revoked', { argument: OTHER_KEY, unchanged: true }),
    restart(),
    status(valid()),
  );
  const month = certificate('month', { exp: NOW + 30 * DAY });
  scenario(
    'if two keys are activated at the same time, the last response counts',
    {},
    running(),
    replies(
      meanwhile(
        active(WEEK),
        replies(active(other)),
        call('activate', OTHER_KEY, { returns: valid() }),
      ),
    ),
    activate(valid({ services: ['Hosting', 'Maintenance'] })),
    stateFile({}),
  );
  scenario(
    'activate keeps what another process stored in the meantime',
    {},
    running(),
    replies(meanwhile(active(WEEK), install(month, valid()))),
    activate(valid({ validUntil: iso(NOW + 30 * DAY) })),
    stateFile({ certificate: month, installed: month }),
  );
  scenario(
    'activate keeps an installed certificate of the license that expires later',
    {},
    install(month, valid()),
    replies(active(WEEK)),
    activate(valid({ validUntil: iso(NOW + 30 * DAY) })),
    stateFile({ certificate: month, installed: month }),
  );
}
