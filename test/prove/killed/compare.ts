import { readPages } from '../../e2e/pages.js';
import type { HttpCaller } from '../../http-caller.js';
import type { Journal, KnownLicense, LicenseRecord } from './journal.js';

/** The records of one user in the store. */
export interface Found {
  readonly clients: ReadonlySet<string>;
  readonly projects: ReadonlySet<string>;
  readonly licenses: ReadonlyMap<string, { record: LicenseRecord; events: string[] }>;
}

export async function readAll(service: HttpCaller, token: string): Promise<Found> {
  const call = { token };
  const ids = async (path: string) =>
    new Set((await readPages(service, `${path}?limit=100`, call)).map(({ _id }) => _id));
  const records = await readPages<LicenseRecord>(service, '/licenses?limit=100', call);
  const licenses = new Map<string, { record: LicenseRecord; events: string[] }>();
  for (const record of records) {
    const path = `/licenses/${record._id}/events?limit=100`;
    const events = await readPages<{ _id: string; type: string }>(service, path, call);
    licenses.set(record._id, { record, events: events.map(({ type }) => type) });
  }
  return {
    clients: await ids('/clients'),
    projects: await ids('/projects'),
    licenses,
  };
}

/** The differences from the journal, once every write is acknowledged. */
export function differing(journal: Journal, found: Found): string[] {
  const compare = (what: string, known: Iterable<string>, there: Iterable<string>) => {
    const [expected, stored] = [new Set(known), new Set(there)];
    return [
      ...[...expected].filter((id) => !stored.has(id)).map((id) => `${what} ${id} lost`),
      ...[...stored].filter((id) => !expected.has(id)).map((id) => `${what} ${id} never requested`),
    ];
  };
  return [
    ...compare('client', journal.clients, found.clients),
    ...compare('project', journal.projects.keys(), found.projects),
    ...compare('license', journal.licenses.keys(), found.licenses.keys()),
    ...[...journal.licenses].flatMap(([id, known]) => {
      const there = found.licenses.get(id);
      return there ? differences(known, there) : [];
    }),
  ];
}

const FIELDS = [
  ...['key', 'project', 'status', 'issuedAt', 'activatedAt', 'expiresAt'],
  ...['revokedAt', 'revokedReason', 'replaces'],
];

const shown = ({ record, events }: KnownLicense): string[] => [
  ...FIELDS.map((field) => `${field} ${String(Reflect.get(record, field))}`),
  `events ${[...events].sort().join(' ')}`,
];

function differences(known: KnownLicense, there: KnownLicense): string[] {
  const before = shown(known);
  return shown(there)
    .filter((text, i) => text !== before[i])
    .map((text) => `license ${known.record._id} has ${text}`);
}
