// The other files of the folder.
import { createHmac } from 'node:crypto';
import { DAY, FINGERPRINT, NOW, PRODUCT } from '../vectors/certificates.mjs';
import {
  WEEK,
  KEY,
  activated,
  active,
  at,
  call,
  certificate,
  fails,
  files,
  forget,
  invalid,
  refresh,
  replies,
  restart,
  running,
  scenario,
  status,
  valid,
  validation,
} from './scenario-list.mjs';

const STATE_FILE = 'license-de02ed4f0ab649d3fa6045fa18dc0aac.json';
/** Without a fingerprint, a container keeps a random id. */
const ID = '7b1d4a0c9f3e4d52b8a6c1e07f2d3b95';
const BODY = {
  ...{ key: KEY, fingerprint: FINGERPRINT, product: PRODUCT },
  ...{ certificate: true, nonce: '{nonce}' },
};
const IN_CONTAINER = { program: { fingerprint: null } };

export function addFolders() {
  scenario(
    'temporary files of a killed process are removed by the next write, and by forget',
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
    'a state file that is a pipe is not waited for, and makes the state unreadable',
    {},
    running(),
    { disk: { pipe: STATE_FILE } },
    status(invalid('unreadable', 'folder')),
    fails('activate', 'folder', { argument: KEY, requests: [] }),
  );
  scenario(
    'a new state replaces the old file, which is never half written',
    {},
    running(),
    at(NOW + 1),
    replies(active(certificate('of a second later', { iat: NOW + 1 }))),
    refresh(valid(), { replaced: true }),
    files(STATE_FILE),
  );
  scenario(
    'status writes nothing while another process holds the lock',
    {},
    running(),
    { disk: { add: '{folder}/license.lock', text: 'of another process' } },
    at(NOW + DAY),
    status(valid(), { unchanged: true }),
    files(STATE_FILE, 'license.lock'),
  );
  scenario(
    'a lock left by a killed process is removed',
    {},
    { disk: { add: '{folder}/license.lock', text: 'of another process' } },
    activated(),
    files(STATE_FILE),
  );
  scenario(
    'a system error is named by its code',
    { program: { folder: '/dev/null/state' } },
    replies(active(WEEK)),
    fails('activate', 'folder', {
      argument: KEY,
      throws: { message: 'The folder /dev/null/state cannot be used (ENOTDIR).' },
      requests: [],
    }),
  );
  addMachineIds();
}

function addMachineIds() {
  scenario(
    'a container keeps a random id in the folder',
    IN_CONTAINER,
    call('request'),
    files('machine-id'),
  );
  const kept = (text) => ({ disk: { add: '{folder}/machine-id', text } });
  const fingerprint = createHmac('sha256', ID).update(PRODUCT).digest('hex');
  for (const text of [ID, `${ID}\n`, ID.toUpperCase()]) {
    scenario(
      `a container uses the id that it has stored: ${JSON.stringify(text)}`,
      IN_CONTAINER,
      kept(text),
      replies(validation('invalid')),
      fails('activate', 'unknown_key', {
        argument: KEY,
        requests: [{ path: '/validate', body: { ...BODY, fingerprint } }],
      }),
    );
  }
  const message = 'The file {folder}/machine-id is damaged. Restore or delete it.';
  for (const text of ['', 'text', ID.slice(1), `${ID}0`, '0'.repeat(32), ' '.repeat(65_537)]) {
    const name = text.length > 40 ? 'of more than 64 KiB' : JSON.stringify(text);
    scenario(
      `a damaged random id is not replaced, which would make it another machine: ${name}`,
      IN_CONTAINER,
      kept(text),
      fails('request', 'folder', { throws: { message } }),
      fails('activate', 'folder', { argument: KEY, throws: { message }, requests: [] }),
      files('machine-id'),
    );
  }
  const FORBIDDEN = { program: { fingerprint: null, allowRandomId: false } };
  const forbidden = {
    argument: KEY,
    throws: { message: 'This machine has no unique id.' },
    requests: [],
  };
  for (const [name, ...steps] of [['none is kept'], ['one is kept', kept(ID)]]) {
    scenario(
      `with allowRandomId false, a container has no id: ${name}`,
      FORBIDDEN,
      ...steps,
      fails('request', 'machine_id', { throws: forbidden.throws }),
      fails('activate', 'machine_id', forbidden),
      files(...steps.map(() => 'machine-id')),
    );
  }
  scenario(
    'with allowRandomId false, a license of a container is unreadable, and valid with a fingerprint',
    {},
    running(),
    restart({ fingerprint: null, allowRandomId: false }),
    status(invalid('unreadable', 'machine_id')),
    restart({ allowRandomId: false }),
    status(valid()),
  );
  scenario(
    'a machine-id that is a pipe is not waited for',
    IN_CONTAINER,
    { disk: { pipe: 'machine-id' } },
    fails('request', 'folder'),
    files('machine-id'),
  );
}
