import { readPages } from '../../e2e/pages.js';
import type { HttpCaller } from '../../http-caller.js';
import type { Journal, KnownLicense, LicenseRecord } from './journal.js';

const FIELDS = [
  ...['key', 'project', 'status', 'issuedAt', 'activatedAt', 'expiresAt'],
  ...['revokedAt', 'revokedReason', 'replaces'],
];

/** A client, a project or a license with its fields and events, each as a text of its own. */
type Shown = readonly [name: string, texts: readonly string[]];

/** The records that the service has of the user of a journal. */
async function readAll(service: HttpCaller, { user }: Journal): Promise<Shown[]> {
  const all: Shown[] = [];
  for (const what of ['client', 'project']) {
    const records = await readPages(service, `/${what}s?limit=100`, user);
    all.push(...records.map(({ _id }): Shown => [`${what} ${_id}`, []]));
  }
  for (const record of await readPages<LicenseRecord>(service, '/licenses?limit=100', user)) {
    const path = `/licenses/${record._id}/events?limit=100`;
    const events = await readPages<{ _id: string; type: string }>(service, path, user);
    all.push(shown({ record, events: events.map(({ type }) => type) }));
  }
  return all;
}

const shown = ({ record, events }: KnownLicense): Shown => [
  `license ${record._id}`,
  [
    ...FIELDS.map((field) => `${field} ${String(Reflect.get(record, field))}`),
    `events ${[...events].sort().join(' ')}`,
  ],
];

/** The differences of the records from the journal, once every write is acknowledged. */
export async function differing(service: HttpCaller, journal: Journal): Promise<string[]> {
  const found = new Map(await readAll(service, journal));
  const known = new Map([
    ...[...journal.clients].map((id): Shown => [`client ${id}`, []]),
    ...[...journal.projects].map((id): Shown => [`project ${id}`, []]),
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
