import { randomUUID } from 'node:crypto';
import { type CreatedLicense, type Developer, LAPTOP } from '../../e2e/developer.js';
import type { HttpCaller, HttpResponse } from '../../http-caller.js';
import type { Random } from '../../random.js';

interface LicenseRecord extends CreatedLicense {
  readonly status: string;
  readonly issuedAt: string;
  readonly activatedAt: string | null;
}

export interface KnownLicense {
  record: LicenseRecord;
  /** Types of its events, in the order of acknowledgment. */
  readonly events: string[];
}

/** One write: its request, and the change its response acknowledges. */
export interface Write {
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly idempotencyKey?: string;
  readonly license?: string;
  readonly acknowledge: (journal: Journal, body: HttpResponse['body']) => void;
}

/** Everything the service has acknowledged to one user. */
export class Journal {
  readonly clients = new Set<string>();
  readonly projects = new Set<string>();
  readonly licenses = new Map<string, KnownLicense>();
  /** Acknowledged writes that can be repeated, each with its response. */
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

const factsOf = ({ record, events }: KnownLicense): string[] =>
  [
    ...FIELDS.map((field) => `${field} ${Reflect.get(record, field)}`),
    `events ${[...events].sort().join(' ')}`,
  ].map((fact) => `license ${record._id} ${fact}`);

/** The records that a journal covers, as the service shows them: a text for each client, project, license field and event list. */
async function readAll(service: HttpCaller, { user }: Journal): Promise<string[]> {
  const clients = await service.readPages('/clients?limit=100', user);
  const projects = await service.readPages('/projects?limit=100', user);
  const facts = [
    ...clients.map(({ _id }) => `client ${_id}`),
    ...projects.map(({ _id }) => `project ${_id}`),
  ];
  for (const record of await service.readPages<LicenseRecord>('/licenses?limit=100', user)) {
    const path = `/licenses/${record._id}/events?limit=100`;
    const events = await service.readPages<{ _id: string; type: string }>(path, user);
    facts.push(...factsOf({ record, events: events.map(({ type }) => type) }));
  }
  return facts;
}

/** The differences between the records and the journal, once every write is acknowledged. */
export async function differing(service: HttpCaller, journal: Journal): Promise<string[]> {
  const found = new Set(await readAll(service, journal));
  const known = new Set([
    ...[...journal.clients].map((id) => `client ${id}`),
    ...[...journal.projects].map((id) => `project ${id}`),
    ...[...journal.licenses.values()].flatMap(factsOf),
  ]);
  return [
    ...[...known].filter((fact) => !found.has(fact)).map((fact) => `${fact} lost`),
    ...[...found].filter((fact) => !known.has(fact)).map((fact) => `${fact} never acknowledged`),
  ];
}

const TERMS = { duration: 6, services: ['Hosting'] };

/** Records that only one caller changes, so it knows the outcome of each write. */
export type Share = Readonly<Record<'clients' | 'projects', string[]>>;

/** A write that the service must accept, on the caller's records. */
export function anyWrite(random: Random, journal: Journal, share: Share): Write {
  const client = share.clients[0];
  if (client === undefined) return createClient(share);
  const project = share.projects.length > 0 ? random.of(share.projects) : undefined;
  if (project === undefined || random.next() < 0.15) return createProject(share, client);
  const license = random.of(journal.licensesOf(project));
  const changes: Write[] = [
    addLicense(project),
    createClient(share),
    ...transitionsOf(license),
    ...deletionsOf(journal, share, project),
  ];
  return random.of(changes);
}

const post = (
  path: string,
  body: object,
  acknowledge: Write['acknowledge'],
  license?: string,
): Write => ({
  ...{ method: 'POST', path, body, idempotencyKey: randomUUID(), acknowledge },
  ...(license && { license }),
});

const createClient = ({ clients }: Share): Write => {
  const fields = { name: 'Acme Ltd', email: `${randomUUID()}@acme.example` };
  return post('/clients', fields, (journal, { client }) => {
    journal.clients.add(client._id);
    clients.push(client._id);
  });
};

const createProject = ({ projects }: Share, clientId: string): Write => {
  const fields = { clientId, projectName: 'Web shop', ...TERMS };
  return post('/projects/createProject', fields, (journal, { project, license }) => {
    journal.projects.add(project._id);
    journal.addLicense(license);
    projects.push(project._id);
  });
};

const addLicense = (project: string): Write =>
  post(`/projects/${project}/licenses`, TERMS, (journal, { license }) =>
    journal.addLicense(license),
  );

/** Every change its status allows. */
function transitionsOf({ record }: KnownLicense): Write[] {
  const { _id, status } = record;
  const change = (action: string, body: object, acknowledge: Write['acknowledge']) =>
    post(`/licenses/${_id}/${action}`, body, acknowledge, _id);
  if (status === 'REVOKED') return [];
  return [
    status === 'PENDING'
      ? activate(record)
      : change('renew', { duration: 1 }, (journal, { license }) =>
          journal.change(license, 'renewed'),
        ),
    change('revoke', { reason: 'Refunded' }, (journal, { license }) =>
      journal.change(license, 'revoked'),
    ),
    change('reissue', {}, (journal, { revoked, license }) => {
      journal.change(revoked, 'reissued');
      journal.addLicense(license);
    }),
  ];
}

const activate = (record: LicenseRecord): Write => ({
  method: 'POST',
  path: '/validate/activate',
  body: { key: record.key, fingerprint: LAPTOP },
  license: record._id,
  acknowledge: (journal, { activatedAt, expiresAt }) =>
    journal.change(
      { ...record, status: 'ACTIVE', issuedAt: activatedAt, activatedAt, expiresAt },
      'activated',
    ),
});

/** Deletes the project if none of its licenses is active, and a client without projects. */
function deletionsOf(journal: Journal, share: Share, project: string): Write[] {
  const deletion = (what: keyof Share, id: string, forget: () => unknown): Write => ({
    method: 'DELETE',
    path: `/${what}/${id}`,
    acknowledge: () => {
      forget();
      share[what].splice(share[what].indexOf(id), 1);
    },
  });
  const isActive = journal.licensesOf(project).some(({ record }) => record.status === 'ACTIVE');
  const client = share.clients.at(-1)!;
  return [
    ...(isActive ? [] : [deletion('projects', project, () => journal.deleteProject(project))]),
    ...(share.clients.length > 1
      ? [deletion('clients', client, () => journal.clients.delete(client))]
      : []),
  ];
}
