import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Random } from '../../random.js';
import { Load, type Target } from '../killed/load.js';
import { PatientCaller } from '../patient-caller.js';
import { type Outcome, SEED, times } from '../prove.js';
import { MessageReceiver } from './message-receiver.js';
import { differences, missing, repeated, type Watched, watchAccount } from './watched-account.js';

/**
 * Milliseconds by which the last start sets the clock ahead. In the short form the leases of what was killed, 30 seconds, have
 * ended then; in the long form they end by themselves.
 */
const AHEAD = times({ short: 31_000, long: 0 });
const PRELOADED = pathToFileURL('test/prove/webhooks/clock-ahead.mjs').href;

/** The variables of the last start. */
export const CLOCK_AHEAD = {
  NODE_OPTIONS: `--import=${PRELOADED}`,
  CLOCK_AHEAD: String(AHEAD),
};

/** Longest time until everything has arrived, in milliseconds: a lease, an attempt that times out, and a pause of 5 s. */
const SETTLED = 90_000;
const SAMPLE_EVERY = 100;

/**
 * R13: a message of each acknowledged change arrives, and none of a change that did not happen.
 *
 * @param kills what is killed under load, one after the other; the last start is with {@link CLOCK_AHEAD}
 */
export async function noneLost(
  target: Pick<Target, 'service' | 'contradictions' | 'isProxied'>,
  kills: readonly (() => Promise<unknown>)[],
): Promise<Outcome> {
  const { service } = target;
  const patient = new PatientCaller(service);
  const random = new Random(SEED);
  const receiver = new MessageReceiver();
  await receiver.start();
  const failures: string[] = [];
  const watched: Watched[] = [];
  let acknowledged = 0;
  try {
    for (const [index, kill] of kills.entries()) {
      const ends = new Map<string, Awaited<ReturnType<typeof watchAccount>>>();
      const load = await Load.during(
        `kill ${index + 1}`,
        {
          ...{ ...target, breaksConnections: true },
          prepare: async (user) => ends.set(user._id, await watchAccount(patient, receiver, user)),
        },
        random,
        kill,
      );
      acknowledged += load.acknowledged;
      failures.push(...load.failures);
      const ended = load.journals.map((journal) => ends.get(journal.user._id)!(journal));
      watched.push(...(await Promise.all(ended)).flat());
    }
    const begun = performance.now();
    const isOver = () => performance.now() - begun > SETTLED;
    while (watched.some((one) => missing(one).length > 0) && !isOver()) {
      await setTimeout(SAMPLE_EVERY);
    }
    const settled = Math.round((performance.now() - begun) / 100) / 10;
    failures.push(...receiver.failures, ...watched.flatMap(differences));
    return {
      figures: {
        kills: kills.length,
        acknowledged,
        messages: sum(watched.map(({ expected }) => expected.length)),
        'rejected once': receiver.rejected,
        'accepted more than once': sum(watched.map(repeated)),
        'seconds until all had arrived': settled,
        'lost or invented': failures.length,
      },
      failures,
    };
  } finally {
    receiver.stop();
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
