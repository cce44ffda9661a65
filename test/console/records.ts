import { randomUUID } from 'node:crypto';
import type { ConsoleUnderTest } from './console-under-test.js';

const SENTENCE = ' Some departments give reasons that continue for many lines.';

/** Markup, and texts longer than a column: without spaces, with spaces, wide, and right-to-left. */
const TEXTS = {
  client: `<img src=x onerror=a()>${'株式会社サンプルソフトウェア開発'.repeat(8)}`,
  project: `<script>alert(2)</script>${' شركة تطوير البرمجيات المحدودة'.repeat(4)}`,
  reason: `"'{{7*7}} <img src=x onerror=alert(1)><script>alert(2)</script>${SENTENCE.repeat(6)}`,
  product: `com.example.${'w'.repeat(52)}`,
  entitlements: ['export.pdf', 'team', 'single-sign-on', 'audit-log', 'priority-support'],
  machines: [`<b>${'enterprise-edition.'.repeat(5)}`, '👩‍💻🏳️‍🌈👨‍👩‍👧‍👦'.repeat(5)],
  domain: `${`${'b'.repeat(60)}.`.repeat(3)}example.com`,
};

/** The records of an account with something on every page, and a member who cannot change anything. */
export type Shown = Awaited<ReturnType<typeof createShown>>;

/** Creates an account with records for each of its pages. */
export async function createShown({ service }: ConsoleUnderTest) {
  const texts = TEXTS;
  const { reason, product, entitlements } = texts;
  const newEmail = () => `${randomUUID()}@${texts.domain}`;
  const developer = await service.register({ email: newEmail() });
  const client = await service.createClient(developer, { name: texts.client, email: newEmail() });
  const { license, project } = await service.createProject(developer, client._id, {
    ...{ projectName: texts.project, product, entitlements, maxMachines: 2 },
    externalId: `${randomUUID()}-${product}`,
  });
  const deleted = await service.createClient(developer, { name: texts.client, email: newEmail() });
  await service.delete(`/clients/${deleted._id}`, developer);
  for (const machineName of [...texts.machines, 'One too many']) {
    const machine = { key: license.key, fingerprint: `fingerprint-${randomUUID()}`, machineName };
    await service.post('/validate/activate', machine);
  }
  const revoked = await service.addLicense(developer, project._id);
  await service.post(`/licenses/${revoked._id}/revoke`, { reason }, developer);
  await service.addLicense(developer, project._id);
  const plan = { name: texts.project, days: 14, services: ['Hosting', 'Domain'], entitlements };
  await service.post('/plans', plan, developer);
  await service.addApiKey(developer, ['licenses:read'], { name: texts.project });
  const { invitation } = (await service.invite(developer, 'viewer', newEmail())).body;
  const viewer = (await service.accept(invitation, { name: texts.client })).body.user;
  await service.invite(developer, 'support', newEmail());
  return {
    ...{ developer, texts, client: client._id, active: license._id, revoked: revoked._id },
    viewer: viewer as { readonly email: string },
  };
}

const AT = '2026-01-31T10:15:00.000Z';
const DELIVERED = {
  ...{ _id: '1'.repeat(24), event: '1'.repeat(24), type: 'license.renewed', status: 'delivered' },
  ...{ attempts: 1, lastAttemptAt: AT, responseStatus: 204, error: null, nextAttemptAt: null },
};

/** A delivery in each status, and both kinds of failures, as the service returns them. */
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

/** The first delivery, with an attempt of each kind. */
export const detailsOf = (text: string) => ({
  ...DELIVERIES[0],
  body: JSON.stringify({ type: text }),
  attemptLog: [
    { ...ATTEMPT, responseStatus: 204, response: '', error: null },
    { ...ATTEMPT, responseStatus: 503, response: text, error: 'unexpected_status' },
    { ...ATTEMPT, responseStatus: null, response: null, error: 'address_not_allowed' },
  ],
});

const ATTEMPT = { startedAt: AT, endedAt: AT };
