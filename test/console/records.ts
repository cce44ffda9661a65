import { randomUUID } from 'node:crypto';
import { type Developer, PASSWORD } from '../e2e/developer.js';
import { type HttpCaller, newEmail } from '../http-caller.js';
import type { ConsoleUnderTest } from './console-under-test.js';

/** What the records that the pages show are called. */
export type Names = Readonly<Record<'client' | 'project' | 'reason', string>>;

interface Options {
  readonly email?: () => string;
  /** Of the first license. */
  readonly terms: { readonly product: string; readonly entitlements: readonly string[] };
  /** The names of two machines that activate it. */
  readonly machines?: readonly string[];
}

/** Adds records to an account for each of its pages: their ids, those of an active and a revoked license, and a viewer. */
export async function addRecords(
  service: HttpCaller,
  developer: Developer,
  names: Names,
  { email = newEmail, terms, machines = [] }: Options,
) {
  const client = await service.createClient(developer, { name: names.client, email: email() });
  const { license, project } = await service.createProject(developer, client._id, {
    projectName: names.project,
    ...terms,
  });
  for (const machineName of [machines[0], machines[1]]) {
    const machine = { key: license.key, fingerprint: `fingerprint-${randomUUID()}`, machineName };
    await service.post('/validate/activate', machine);
  }
  const revoked = await service.addLicense(developer, project._id);
  await service.post(`/licenses/${revoked._id}/revoke`, { reason: names.reason }, developer);
  const plan = { name: names.project, days: 14, services: ['Hosting'] };
  await service.post('/plans', { ...plan, entitlements: terms.entitlements }, developer);
  const scopes = ['clients:read', 'projects:read', 'licenses:read', 'plans:read', 'events:read'];
  await service.addApiKey(developer, scopes, { name: names.project });
  const { invitation } = (await service.invite(developer, 'viewer', email())).body;
  const viewer = (await service.accept(invitation, { name: names.client })).body.user;
  await service.invite(developer, 'support', email());
  return {
    project: project._id,
    client: client._id,
    active: license._id,
    revoked: revoked._id,
    viewer: viewer as { readonly email: string },
  };
}

const SENTENCE = 'A name that goes on and on, as those of some departments do, ';

/** Names that a table cannot show whole: without spaces, with them, wide, from right to left, marked up. */
const NAMES = [
  `com.example.web-shop.${'enterprise-edition.'.repeat(6)}`,
  SENTENCE.repeat(3).trim(),
  '株式会社サンプルソフトウェア開発'.repeat(8),
  'شركة تطوير البرمجيات المحدودة '.repeat(5).trim(),
  '<b>&amp;</b>'.repeat(10),
  '👩‍💻🏳️‍🌈👨‍👩‍👧‍👦'.repeat(7),
];

const PRODUCT = `com.example.${'w'.repeat(52)}`;

const ENTITLEMENTS = ['export.pdf', 'team', 'single-sign-on', 'audit-log', 'priority-support'];

/** An address of 250 characters, of which none is like another. */
const longEmail = () =>
  `${randomUUID()}${'a'.repeat(20)}@${`${'b'.repeat(60)}.`.repeat(3)}example.com`;

/** The records of an account in which every field of every table is longer than its column. */
export async function createLongNames({ service }: ConsoleUnderTest) {
  const developer = await service.register();
  const terms = {
    ...{ product: PRODUCT, services: ['Hosting', 'Domain'], entitlements: ENTITLEMENTS },
    ...{ duration: null, days: 14, maxMachines: 5 },
  };
  const records = [];
  for (const name of NAMES) {
    const names = { client: name, project: name, reason: NAMES.join(' ').slice(0, 490) };
    const options = {
      email: longEmail,
      terms: { ...terms, externalId: `${randomUUID()}-${NAMES[0]}` },
      machines: [NAMES[0]!.slice(0, 100), [...name].slice(0, 40).join('')],
    };
    records.push(await addRecords(service, developer, names, options));
    const types = ['license.created', 'license.activated', 'license.revoked'];
    const url = `http://127.0.0.1:1024/${NAMES[0]}`;
    await service.post('/webhooks', { url, types, description: name }, developer);
  }
  const agent = { headers: { 'User-Agent': `${NAMES[0]} (${SENTENCE})` } };
  await service.post('/auth/login', { email: developer.email, password: PASSWORD }, agent);
  const webhooks = (await service.get('/webhooks', developer)).body.data;
  const { client, active: license } = records[0]!;
  return { developer, client, license, webhook: webhooks[0]._id as string };
}

const AT = '2026-01-31T10:15:00.000Z';
const DELIVERED = {
  ...{ _id: '1'.repeat(24), event: '1'.repeat(24), type: 'license.renewed', status: 'delivered' },
  ...{ attempts: 1, lastAttemptAt: AT, responseStatus: 204, error: null, nextAttemptAt: null },
};

/** A delivery in each status, and both kinds of failures, as the service responds. */
export const DELIVERIES = [
  {
    ...{ ...DELIVERED, _id: '3'.repeat(24), type: 'license.activation_rejected', attempts: 2 },
    ...{ status: 'pending', responseStatus: null, error: 'address_not_allowed', nextAttemptAt: AT },
  },
  DELIVERED,
  {
    ...{ ...DELIVERED, _id: '2'.repeat(24), type: 'webhook.test', status: 'failed', attempts: 8 },
    ...{ responseStatus: 503, error: 'unexpected_status' },
  },
];
