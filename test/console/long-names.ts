import { randomUUID } from 'node:crypto';
import { PASSWORD } from '../e2e/developer.js';
import type { ConsoleUnderTest } from './console-under-test.js';
import { addRecords } from './records.js';

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
