// The other files of the folder.
import { DAY, NOW } from '../vectors/certificates.mjs';
import {
  WEEK,
  active,
  at,
  call,
  fails,
  files,
  forget,
  refresh,
  replies,
  running,
  scenario,
  status,
  valid,
} from './scenario-list.mjs';

const STATE_FILE = 'license-de02ed4f0ab649d3fa6045fa18dc0aac.json';
/** Without a fingerprint, a container keeps a random id. */
const IN_CONTAINER = { program: { fingerprint: null } };

export function addFolders() {
  scenario(
    'temporary files of a process that was killed are removed by the next write, and by forget',
    {},
    running(),
    { disk: { add: '{state}.left' } },
    { disk: { add: '{folder}/license.lock.left' } },
    replies(active(WEEK)),
    refresh(valid()),
    files(STATE_FILE),
    { disk: { add: '{state}.left' } },
    forget(),
    files(),
  );
  scenario(
    'a lock that is a pipe is not waited for, and the license stays valid',
    {},
    running(),
    { disk: { pipe: 'license.lock' } },
    at(NOW + DAY),
    status(valid()),
    files(STATE_FILE, 'license.lock'),
  );
  scenario(
    'a container keeps a random id in the folder',
    IN_CONTAINER,
    call('request'),
    files('machine-id'),
  );
  scenario(
    'a machine-id that is a pipe is not waited for',
    IN_CONTAINER,
    { disk: { pipe: 'machine-id' } },
    fails('request', 'folder'),
    files('machine-id'),
  );
}
