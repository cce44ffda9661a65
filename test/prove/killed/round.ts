import { setTimeout } from 'node:timers/promises';
import { registerDeveloper } from '../../e2e/developer.js';
import type { HttpCaller } from '../../http-caller.js';
import type { Random } from '../../random.js';
import { differing, missing, readAll } from './compare.js';
import { Journal, type Write } from './journal.js';
import { anyWrite, type Share } from './writes.js';

const CALLERS = 16;
/** The number of acknowledged writes that are sent again after a restart. */
const REPEATS = 10;

/** A store whose process can be killed, and restarted with its files. */
export interface Victim {
  /** Kills the process, restarts it, and waits until the service is ready. */
  readonly killAndRestart: () => Promise<HttpCaller>;
  readonly contradictions: () => Promise<string[]>;
}

/** Kills the store while many callers write, and returns what was lost or half done as failures. */
export async function killAmidWrites(
  service: HttpCaller,
  victim: Victim,
  random: Random,
): Promise<{ service: HttpCaller; journal: Journal; repeated: number; failures: string[] }> {
  const journal = new Journal(await registerDeveloper(service));
  const failures: string[] = [];
  const kill = { sent: false, over: false };
  const callers = Array.from({ length: CALLERS }, () =>
    writeUntil(kill, { service, journal, random, failures }),
  );
  await setTimeout(random.between(50, 500));
  kill.sent = true;
  const again = await victim.killAndRestart();
  kill.over = true;
  await Promise.all(callers);

  failures.push(...(await victim.contradictions()));
  failures.push(...missing(journal, await readAll(again, journal.user.token)));
  const inFlight = [...journal.inFlight];
  for (const write of inFlight) failures.push(...(await repeat(again, journal, write)));
  for (let i = 0; i < REPEATS && journal.repeatable.length > 0; i++) {
    const { write, response } = random.of(journal.repeatable);
    const { status, body } = await send(again, journal, write);
    const first = JSON.stringify([response.status, response.body]);
    if (JSON.stringify([status, body]) !== first) {
      failures.push(`${write.path} repeated: ${status} ${JSON.stringify(body)}, first ${first}`);
    }
  }
  failures.push(...(await victim.contradictions()));
  failures.push(...differing(journal, await readAll(again, journal.user.token)));
  return { service: again, journal, repeated: inFlight.length, failures };
}

interface Scene {
  readonly service: HttpCaller;
  readonly journal: Journal;
  readonly random: Random;
  readonly failures: string[];
}

/**
 * Sends one write after the other. The first without a success stays in flight, and ends the caller. A service whose
 * database is killed may retry until it is restarted, and then succeed.
 */
async function writeUntil(
  kill: { readonly sent: boolean; readonly over: boolean },
  { service, journal, random, failures }: Scene,
): Promise<void> {
  const share: Share = { clients: [], projects: [] };
  while (!kill.over) {
    const write = anyWrite(random, journal, share);
    journal.inFlight.add(write);
    const response = await send(service, journal, write).catch(() => undefined);
    if (response && response.status < 300) {
      journal.acknowledge(write, response);
      continue;
    }
    // A 503 is no failure: nothing was acknowledged.
    if (response?.status !== 503 && (!kill.sent || (response && response.status < 500))) {
      failures.push(`${response?.status} to ${write.method} ${write.path} before the kill`);
    }
    return;
  }
}

/** Repeats a write that was in flight, whether it was done before the kill or not. */
async function repeat(service: HttpCaller, journal: Journal, write: Write): Promise<string[]> {
  const response = await sendUntilServed(service, journal, write);
  const isGone = write.method === 'DELETE' && response.status === 404;
  if (response.status >= 300 && !isGone) {
    return [`${response.status} to ${write.method} ${write.path} when repeated`];
  }
  journal.acknowledge(write, response);
  return [];
}

/** Sends a write until it is not rejected by 503, for half a minute. */
async function sendUntilServed(service: HttpCaller, journal: Journal, write: Write) {
  for (let tries = 1; ; tries++) {
    const response = await send(service, journal, write);
    if (response.status !== 503 || tries === 30) return response;
    await setTimeout(1000);
  }
}

/** Sends a write, with its idempotency key if it has one. */
export function send(service: HttpCaller, { user }: Journal, write: Write) {
  const { method, path, body, idempotencyKey } = write;
  return service.send(method, path, body && JSON.stringify(body), {
    token: user.token,
    ...(idempotencyKey && { headers: { 'Idempotency-Key': idempotencyKey } }),
  });
}
