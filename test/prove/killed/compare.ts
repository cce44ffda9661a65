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

/** The acknowledged writes that a killed store has lost or half done, before the writes in flight are repeated. */
export function missing(journal: Journal, found: Found): string[] {
  const inFlight = [...journal.inFlight];
  const touched = new Set(inFlight.map(({ license }) => license));
  const deleting = new Set(inFlight.map(({ deletes }) => deletes));
  const lost = (what: string, known: Iterable<string>, there: ReadonlySet<string>) =>
    [...known]
      .filter((id) => !there.has(id) && !deleting.has(id))
      .map((id) => `${what} ${id} lost`);
  const licenses = [...journal.licenses.values()].filter(
    ({ record }) => !deleting.has(record.project),
  );
  return [
    ...lost('client', journal.clients, found.clients),
    ...lost('project', journal.projects.keys(), found.projects),
    ...licenses.flatMap((known) => {
      const there = found.licenses.get(known.record._id);
      if (!there) return [`license ${known.record._id} lost`];
      return touched.has(known.record._id) ? halfDone(known, there) : differences(known, there);
    }),
  ];
}

/** The differences from the journal once every write is acknowledged. */
export function differing(journal: Journal, found: Found): string[] {
  const unknown = (what: string, there: Iterable<string>, known: { has(id: string): boolean }) =>
    [...there].filter((id) => !known.has(id)).map((id) => `${what} ${id} never requested`);
  return [
    ...missing(journal, found),
    ...unknown('client', found.clients, journal.clients),
    ...unknown('project', found.projects, journal.projects),
    ...unknown('license', found.licenses.keys(), journal.licenses),
  ];
}

const FIELDS = [
  'key',
  'project',
  'status',
  'issuedAt',
  'activatedAt',
  'expiresAt',
  'revokedAt',
  'revokedReason',
  'replaces',
] as const;

const shown = ({ record, events }: KnownLicense): string[] => [
  ...FIELDS.map((field) => `${field} ${String(record[field])}`),
  `events ${[...events].sort().join(' ')}`,
];

function differences(known: KnownLicense, there: KnownLicense): string[] {
  const before = shown(known);
  return shown(there)
    .filter((text, i) => text !== before[i])
    .map((text) => `license ${known.record._id} has ${text}`);
}

/** A change that was in flight must be stored with its event, or neither of them. */
function halfDone(known: KnownLicense, there: KnownLicense): string[] {
  const changed = FIELDS.some((field) => known.record[field] !== there.record[field]);
  const added = there.events.length - known.events.length;
  return added === Number(changed)
    ? []
    : [`license ${known.record._id} is ${changed ? '' : 'not '}changed, with ${added} more events`];
}
