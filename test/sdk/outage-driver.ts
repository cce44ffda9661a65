import type { Random } from '../random.js';
import { active, ISSUER, KEY, newFolder } from './customer.js';
import { DAY, FINGERPRINT, NOW, PRODUCT } from './issuer.js';
import { OUTAGES } from './outages.js';
import type { RunnerProcess } from './runner-process.js';
import type { ScriptedService } from './scripted-service.js';

const HOUR = 3600;
/** A loaded machine must not cause a timeout, but where the state is the same after one. */
const [LONG_MS, SHORT_MS] = [60_000, 20];

/**
 * A machine activates, then runs without a good response until its certificate has ended.
 *
 * @returns what went wrong
 */
export async function meetOutages(
  runner: RunnerProcess,
  service: ScriptedService,
  random: Random,
): Promise<readonly string[]> {
  const folder = newFolder();
  const wrong: string[] = [];
  const days = random.between(1, 30);
  const end = NOW + days * DAY;
  let now = NOW;

  const start = (timeout: number) => {
    const options = {
      ...{ service: service.url, issuer: ISSUER.id, product: PRODUCT, keys: [ISSUER.jwk] },
      ...{ folder, fingerprint: FINGERPRINT, timeout },
    };
    return runner.start(now, options);
  };

  const expectState = async (expected: string, method: string, argument?: string) => {
    const { returns, throws } = await runner.call(now, method, argument);
    const { state, reason } = (returns ?? {}) as { state?: string; reason?: string };
    if (state === expected) return;
    const got = throws?.code ?? `${state} (${reason})`;
    wrong.push(`${got}, not ${expected}, ${end - now} s before the end`);
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
  return wrong;
}
