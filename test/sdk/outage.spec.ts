import { Random } from '../random.js';
import { KEY, newFolder } from './customer.js';
import { active, DAY, NOW, PROGRAM } from './issuer.js';
import { OUTAGES } from './outages.js';
import type { RunnerProcess } from './runner-process.js';
import { type ScriptedService, useScriptedService } from './scripted-service.js';
import { describeSdks } from './sdk-program.js';

jest.setTimeout(1_800_000);
const MACHINES = Number(process.env.OUTAGE_MACHINES ?? 15);
const HOUR = 3600;
/** A loaded machine must not cause a timeout, but where the state is the same after one. */
const [LONG_MS, SHORT_MS] = [60_000, 20];

describeSdks('R11: an outage as long as certificates last,', (runner) => {
  const service = useScriptedService();

  it(`stops none of ${MACHINES} machines before its certificate ends, and every one when it ends`, async () => {
    const random = new Random(11);
    for (let machine = 0; machine < MACHINES; machine++) {
      await meetOutages(runner(), service, random);
    }
  });
});

/** A machine activates, then runs without a good response until its certificate has ended. */
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

  /** The program refreshes, and starts again. */
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
