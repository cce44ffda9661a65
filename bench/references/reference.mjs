import { randomBytes } from 'node:crypto';

/** What an activation changes on a license. */
const ACTIVATED = [
  ...['status', 'seats', 'activatedAt', 'issuedAt', 'termStart'],
  ...['expiresAt', 'nextNoticeAt', 'updatedAt'],
];
const TYPES = ['project.created', 'license.created', 'license.activated'];

const text = (bytes) => randomBytes(bytes).toString('base64url');

/** A random version, like the service's. */
export const version = () => Math.floor(Math.random() * 2 ** 48);

/**
 * Copies of the records the service stored for a project, its license and its activation.
 *
 * @param find returns a record of a table, optionally by a field value
 * @param newId returns a new record id
 */
export async function copies(find, newId) {
  const [project, license] = [await find('projects'), await find('licenses', 'status', 'ACTIVE')];
  const machine = await find('machines');
  const found = TYPES.map(async (type) => [type, await find('events', 'type', type)]);
  const events = Object.fromEntries(await Promise.all(found));
  const copy = (record, fields) => ({ ...record, version: version(), ...fields });
  return {
    activation: Object.fromEntries(ACTIVATED.map((name) => [name, license[name]])),
    machineOf: ({ seatsOf }) =>
      copy(machine, { _id: seatsOf + randomBytes(12).toString('hex'), license: seatsOf }),
    event: (type, subject) => copy(events[type], { _id: newId(), subject }),
    project: ({ _id: client, owner }) => copy(project, { _id: newId(), client, owner }),
    license: ({ _id, client, owner: user }) => {
      const own = { _id: newId(), keyHash: text(32), seatsOf: text(18) };
      return copy(license, { ...own, project: _id, client, user });
    },
  };
}

/**
 * Opens the store named by the first message. Each later message runs an operation on some records, `connections` at a
 * time, and replies with the operations per second.
 *
 * @param open returns the records and operations of a store
 */
export function serve(open) {
  let store;
  const run = async ({ kind, from, count, connections }) => {
    const end = from + count;
    const begun = performance.now();
    const work = async () => {
      while (from < end) await store.operations[kind](store.records[from++ % store.records.length]);
    };
    await Promise.all(Array.from({ length: connections }, work));
    return count / ((performance.now() - begun) / 1000);
  };
  process.once('disconnect', () => process.exit());
  process.on('message', async (message) => {
    const isOpen = store !== undefined;
    store ??= await open(message);
    process.send(isOpen ? await run(message) : 'open');
  });
}
