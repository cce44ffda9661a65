import { Random } from '../random.js';
import { KEY, newFolder } from './customer.js';
import {
  active,
  DAY,
  FOREIGN,
  issueCertificate,
  issueRejection,
  NOW,
  PROGRAM,
  rejected,
} from './issuer.js';
import { describeSdks } from './languages.js';
import type { RunnerProcess } from './runner-process.js';
import type { ScriptedReply } from './scenario.js';
import {
  type Reply,
  scripted,
  type ScriptedService,
  useScriptedService,
} from './scripted-service.js';

jest.setTimeout(1_800_000);
const MACHINES = Number(process.env.OUTAGE_MACHINES ?? 5);
const HOUR = 3600;
/** A loaded machine must not cause a timeout, unless the state is the same after one. */
const [LONG_MS, SHORT_MS] = [60_000, 20];

const PAGE = { text: '<h1>Hello</h1>' };

const REPLIES: readonly ScriptedReply[] = [
  ...['hang_up', 'silence', 'half'].map((fault) => ({ fault })),
  { status: 429, headers: { 'Retry-After': '60' }, body: { success: false, status: 429 } },
  { status: 503, body: { code: 'OVERLOADED' } },
  { status: 500, body: { status: 'revoked' } },
  { status: 404, body: { code: 'ROUTE_NOT_FOUND' } },
  PAGE,
  { status: 302, headers: { Location: 'https://portal.example' }, ...PAGE },
  { text: '{"valid":true,"status":"act' },
  { text: ' '.repeat(70_000) },
  { body: { status: 'pending' } },
  { body: { status: 'invalid' } },
  { body: { status: 'active' } },
  { body: { status: 'active', leaseEndsAt: '2027-01-15T09:00:00.000Z' } },
  { body: { status: 'active', certificate: issueCertificate({}, FOREIGN) } },
  // From an attacker in the network who has no key of the issuer, or replays what it signed.
  { body: { status: 'revoked' } },
  { status: 403, body: { code: 'LICENSE_REVOKED' } },
  { body: { status: 'revoked', rejection: issueRejection('revoked', 'A'.repeat(22)) } },
];

/** The responses that a machine gets instead of a good one. */
const OUTAGES: readonly Reply[] = [
  ...REPLIES.map(scripted),
  (response) => response.end(Buffer.from([0xff, 0x00, 0x7b, 0xfe])),
  rejected('suspended', FOREIGN),
];

describeSdks('R11: an outage as long as certificates last,', (runner) => {
  const service = useScriptedService();

  it(`stops none of ${MACHINES} machines before its certificate expires, and every one when it does`, async () => {
    const random = new Random(11);
    for (let machine = 0; machine < MACHINES; machine++) {
      await meetOutages(runner(), service, random);
    }
  });
});

/** A machine activates, then runs without a good response until its certificate ends. */
async function meetOutages(
  runner: RunnerProcess,
  service: ScriptedService,
  random: Random,
): Promise<void> {
  const folder = newFolder();
  const days = random.between(1, 30);
  const end = NOW + days * DAY;
  let now = NOW;

  const start = (timeout: number) =>
    runner.start(now, { ...PROGRAM, service: service.url, folder, timeout });

  const expectState = async (state: string, method: string, argument?: string) => {
    const result = await runner.call(now, method, argument);
    const left = end - now;
    expect({ left, ...result }).toMatchObject({ left, returns: { state } });
  };

  /** The program refreshes, and restarts. */
  const meetOutage = async () => {
    service.script(random.of(OUTAGES));
    const expected = now < end ? 'valid' : 'ended';
    await expectState(expected, 'refresh');
    await start(SHORT_MS);
    await expectState(expected, 'status');
  };

  service.script(active({ days }));
  await start(LONG_MS);
  await expectState('valid', 'activate', KEY);
  await start(SHORT_MS);
  while (now < end - 1) {
    await meetOutage();
    now = Math.min(end - 1, now + random.between(1, 72) * HOUR);
  }
  for (now = end - 1; now <= end + 1; now++) await meetOutage();

  service.script(active({ issuedAt: now }));
  await start(LONG_MS);
  await expectState('valid', 'refresh');
}
