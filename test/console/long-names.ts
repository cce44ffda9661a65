import { randomUUID } from 'node:crypto';
import { accept, addApiKey, invite } from '../e2e/access/member.js';
import { addLicense, createClient, type Developer, PASSWORD } from '../e2e/developer.js';
import type { ConsoleUnderTest } from './console-under-test.js';

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

const SCOPES = ['clients:read', 'projects:read', 'licenses:read', 'plans:read', 'events:read'];

const ENTITLEMENTS = ['export.pdf', 'team', 'single-sign-on', 'audit-log', 'priority-support'];

/** An address of 250 characters, of which none is like another. */
const longEmail = () =>
  `${randomUUID()}${'a'.repeat(20)}@${`${'b'.repeat(60)}.`.repeat(3)}example.com`;

/** The records of an account in which every field of every table is longer than its column. */
export async function createLongNames(
  tested: ConsoleUnderTest,
): Promise<{ developer: Developer; client: string; license: string; webhook: string }> {
  const { service } = tested;
  const developer = await tested.register();
  const terms = { days: 14, product: PRODUCT, maxMachines: 5, entitlements: ENTITLEMENTS };
  const post = async (path: string, body: object) => {
    const response = await service.post(path, body, developer);
    expect(response.body).toEqual(expect.not.objectContaining({ code: expect.anything() }));
    return response.body;
  };
  const records = [];
  for (const name of NAMES) {
    const client = await createClient(service, developer, { name, email: longEmail() });
    const externalId = `${randomUUID()}-${NAMES[0]}`;
    const { license, project } = await post('/projects/createProject', {
      ...{ ...terms, services: ['Hosting', 'Domain'] },
      ...{ clientId: client._id, projectName: name, externalId },
    });
    for (const machineName of [NAMES[0]!.slice(0, 100), [...name].slice(0, 40).join('')]) {
      const machine = { key: license.key, fingerprint: `fingerprint-${randomUUID()}`, machineName };
      await post('/validate/activate', machine);
    }
    const revoked = await addLicense(service, developer, project._id);
    const reason = NAMES.join(' ').slice(0, 490);
    await post(`/licenses/${revoked._id}/revoke`, { reason });
    await post('/plans', { ...terms, name, services: ['Hosting'] });
    await addApiKey(service, developer, SCOPES, { name });
    const { invitation } = (await invite(service, developer, 'viewer', longEmail())).body;
    await accept(service, invitation, { name });
    await invite(service, developer, 'support', longEmail());
    records.push({ client, license });
  }
  for (const description of NAMES) {
    const url = `http://127.0.0.1:1024/${NAMES[0]}`;
    const types = ['license.created', 'license.activated', 'license.revoked'];
    await post('/webhooks', { url, types, description });
  }
  const agent = { headers: { 'User-Agent': `${NAMES[0]} (${SENTENCE})` } };
  await service.post('/auth/login', { email: developer.email, password: PASSWORD }, agent);
  const webhooks = (await service.get('/webhooks', developer)).body.data;
  const [first] = records;
  return {
    developer,
    client: first!.client._id,
    license: first!.license._id,
    webhook: webhooks[0]._id,
  };
}
