import { setTimeout } from 'node:timers/promises';
import { DeletionStore } from '../deletion-store.js';
import { createClient, createLicense, registerDeveloper, validationOf } from '../e2e/developer.js';
import { EVERY_ENGINE, newStore, SECRETS } from '../engines.js';
import { NO_LIMITS } from '../no-limits.js';
import { Operator } from '../smoke/operator.js';
import { FORM, prove, times } from './prove.js';

const LICENSES = times({ short: 5_000, long: 100_000 });
/** Longest that a deletion may delay a request, in milliseconds. */
const LONGEST = 100;
/** Pause between two requests of each caller, in milliseconds. */
const PAUSE = 20;
const HOUR = 3_600_000;
const FINGERPRINT = 'fingerprint-of-the-customers-machine';

describe.each(EVERY_ENGINE)('the deletion of a large project on %s', (engine) => {
  prove('deletion', engine, async () => {
    const env = { ...SECRETS, ...newStore(engine) };
    const operator = new Operator({ ...NO_LIMITS, ...env }, { timeout: HOUR });
    try {
      const store = new DeletionStore({ ...env, DATA_DIR: operator.path('data') });
      return await proveOn(operator, store);
    } finally {
      await operator.leave();
    }
  });
});

async function proveOn(operator: Operator, store: DeletionStore) {
  const first = await operator.start();
  const owner = await registerDeveloper(first);
  const license = await createLicense(first, owner);
  const neighbour = await registerDeveloper(first);
  const other = await createLicense(first, neighbour);
  const client = await createClient(first, neighbour);
  await first.end('SIGTERM');
  await store.fill(license.project, LICENSES - 1);
  const service = await operator.start();
  await service.post('/validate/activate', { key: other.key, fingerprint: FINGERPRINT });

  const calls = {
    validate: () => service.post('/validate', { key: other.key, fingerprint: FINGERPRINT }),
    list: () => service.get('/licenses', neighbour),
    create: () =>
      service.post(
        '/projects/createProject',
        { clientId: client._id, projectName: 'Shop', duration: 6, services: ['Hosting'] },
        neighbour,
      ),
  };
  const before = await measure(calls, () => setTimeout(2_000));
  let [deletion, removal, seen] = [0, 0, 0];
  const during = await measure(calls, async () => {
    const begun = performance.now();
    const { status } = await service.delete(`/projects/${license.project}`, owner);
    if (status !== 204) throw new Error(`The deletion responded ${status}`);
    deletion = performance.now() - begun;
    do {
      // What a reader sees right after the deletion.
      const { body } = await service.get('/licenses', owner);
      const isKnown = (await validationOf(service, license, FINGERPRINT)) !== 'invalid';
      seen += (body.data as unknown[]).length + Number(isKnown);
      await setTimeout(250);
    } while (await store.isRemoving());
    removal = performance.now() - begun;
  });
  const left = await store.count(license.project);
  const names = Object.keys(calls) as (keyof typeof calls)[];
  const delayed = names.filter((name) => during[name] - before[name] > LONGEST);
  return {
    figures: {
      licenses: LICENSES,
      'deletion ms': Math.round(deletion),
      'removal s': Math.round(removal / 1000),
      'ms at most, before and meanwhile': names
        .map((name) => `${name} ${Math.round(before[name])} ${Math.round(during[name])}`)
        .join(', '),
    },
    failures: [
      // Other load on the machine may be the only reason in the short form.
      ...(FORM === 'long'
        ? delayed.map((name) => `${name}: ${before[name]} ms became ${during[name]} ms`)
        : []),
      ...(seen > 0 ? [`${seen} licenses were seen after the deletion`] : []),
      ...(left > 0 ? [`${left} licenses were left`] : []),
    ],
  };
}

/** Repeats each call, with a pause, until the work is done. Returns its longest duration in milliseconds. */
async function measure<Name extends string>(
  calls: Record<Name, () => Promise<{ status: number }>>,
  work: () => Promise<unknown>,
): Promise<Record<Name, number>> {
  let isDone = false;
  const longest = {} as Record<Name, number>;
  const callers = (Object.keys(calls) as Name[]).map(async (name) => {
    longest[name] = 0;
    while (!isDone) {
      const begun = performance.now();
      const { status } = await calls[name]();
      if (status >= 400) throw new Error(`${name} responded ${status}`);
      longest[name] = Math.max(longest[name], performance.now() - begun);
      await setTimeout(PAUSE);
    }
  });
  await Promise.all([...callers, work().finally(() => (isDone = true))]);
  return longest;
}
