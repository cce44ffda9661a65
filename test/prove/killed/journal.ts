import type { CreatedLicense, Developer } from '../../e2e/developer.js';
import type { HttpCaller, HttpResponse } from '../../http-caller.js';

/** A license as its owner reads it. */
export interface LicenseRecord extends CreatedLicense {
  readonly status: string;
  readonly issuedAt: string;
  readonly activatedAt: string | null;
}

export interface KnownLicense {
  record: LicenseRecord;
  /** Types of its events, in the order in which they were acknowledged. */
  readonly events: string[];
}

/** One write: its request, and the change that its response acknowledges. */
export interface Write {
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly idempotencyKey?: string;
  /** The license that it changes. */
  readonly license?: string;
  readonly acknowledge: (journal: Journal, body: HttpResponse['body']) => void;
}

/** All that the service has acknowledged to one user. */
export class Journal {
  readonly clients = new Set<string>();
  readonly projects = new Set<string>();
  readonly licenses = new Map<string, KnownLicense>();
  /** Acknowledged writes that may be repeated, each with its response. */
  readonly repeatable: { write: Write; response: HttpResponse }[] = [];
  acknowledged = 0;

  constructor(readonly user: Developer) {}

  acknowledge(write: Write, response: HttpResponse): void {
    this.acknowledged += 1;
    write.acknowledge(this, response.body);
    if (write.idempotencyKey) this.repeatable.push({ write, response });
  }

  addLicense(record: LicenseRecord): void {
    this.licenses.set(record._id, { record, events: ['license.created'] });
  }

  change(record: LicenseRecord, event: string): void {
    const known = this.licenses.get(record._id)!;
    known.record = record;
    known.events.push(`license.${event}`);
  }

  licensesOf(project: string): KnownLicense[] {
    return [...this.licenses.values()].filter(({ record }) => record.project === project);
  }

  deleteProject(project: string): void {
    this.licensesOf(project).forEach(({ record }) => this.licenses.delete(record._id));
    this.projects.delete(project);
  }
}

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
    const records = await service.readPages(`/${what}s?limit=100`, user);
    all.push(...records.map(({ _id }): Shown => [`${what} ${_id}`, []]));
  }
  for (const record of await service.readPages<LicenseRecord>('/licenses?limit=100', user)) {
    const path = `/licenses/${record._id}/events?limit=100`;
    const events = await service.readPages<{ _id: string; type: string }>(path, user);
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
