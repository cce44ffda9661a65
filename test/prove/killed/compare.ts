import { readPages } from '../../e2e/pages.js';
import type { HttpCaller } from '../../http-caller.js';
import type { Journal, KnownLicense, LicenseRecord } from './journal.js';

const FIELDS = [
  ...['key', 'project', 'status', 'issuedAt', 'activatedAt', 'expiresAt'],
  ...['revokedAt', 'revokedReason', 'replaces'],
];

/** A client, a project or a license with its fields and events, each as a text of its own. */
type Records = ReadonlyMap<string, readonly string[]>;

/** The records that the service has of the user of a journal. */
async function readAll(service: HttpCaller, { user }: Journal): Promise<Records> {
  const named = async (what: string) =>
    (await readPages(service, `/${what}s?limit=100`, user)).map(({ _id }) => `${what} ${_id}`);
  const licenses: [string, string[]][] = [];
  for (const record of await readPages<LicenseRecord>(service, '/licenses?limit=100', user)) {
    const path = `/licenses/${record._id}/events?limit=100`;
    const events = await readPages<{ _id: string; type: string }>(service, path, user);
    licenses.push(shown({ record, events: events.map(({ type }) => type) }));
  }
  const others = [...(await named('client')), ...(await named('project'))];
  return new Map<string, readonly string[]>([
    ...others.map((name) => [name, []] as const),
    ...licenses,
  ]);
}

const shown = ({ record, events }: KnownLicense): [string, string[]] => [
  `license ${record._id}`,
  [
    ...FIELDS.map((field) => `${field} ${String(Reflect.get(record, field))}`),
    `events ${[...events].sort().join(' ')}`,
  ],
];

/** The differences of the records from the journal, once every write is acknowledged. */
export async function differing(service: HttpCaller, journal: Journal): Promise<string[]> {
  const found = await readAll(service, journal);
  const known = new Map<string, readonly string[]>([
    ...[...journal.clients].map((id) => [`client ${id}`, []] as const),
    ...[...journal.projects].map((id) => [`project ${id}`, []] as const),
    ...[...journal.licenses.values()].map(shown),
  ]);
  return [
    ...[...known.keys()].filter((name) => !found.has(name)).map((name) => `${name} lost`),
    ...[...found].flatMap(([name, texts]) => {
      const before = known.get(name);
      if (!before) return [`${name} never requested`];
      return texts.filter((text, i) => text !== before[i]).map((text) => `${name} has ${text}`);
    }),
  ];
}
