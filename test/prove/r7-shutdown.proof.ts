import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { CreatedLicense } from '../e2e/developer.js';
import { exchange } from '../http-exchange.js';
import type { RunningService } from '../smoke/operator.js';
import { prove, SEED, SOME_ENGINES, times } from './prove.js';
import { Random } from '../random.js';
import { withService } from './processes.js';

const ROUNDS = times({ short: 1, long: 100 });
/** In milliseconds. In the short form, other work on the machine may double it, and delay what probes see. */
const LONGEST_EXIT = times({ short: 20_000, long: 10_000 });
const DRAIN = times({ short: 4, long: 2 });

/** Maximum time from the signal until readiness returns 503, in milliseconds. */
const SIGNAL_SEEN = 1_000;

/** The codes of rejections by overload. */
const SHED = ['OVERLOADED', 'TOO_MANY_CONCURRENT_REQUESTS'];

/** How often a load balancer probes readiness, in milliseconds. */
const PROBE_EVERY = 250;

interface Call {
  readonly method: string;
  readonly path: string;
  readonly token?: string;
  readonly body?: object;
  /** Wait between the two parts of the body, in milliseconds. */
  readonly pause?: number;
}

/** Callers, and the longest time between two of their requests, in milliseconds. */
const CALLERS = [
  ...Array.from({ length: 30 }, () => ({ keepAlive: true, pause: 0 })),
  ...Array.from({ length: 10 }, () => ({ keepAlive: true, pause: 1_500 })),
  ...Array.from({ length: 15 }, () => ({ keepAlive: false, pause: 20 })),
];

prove('R7', SOME_ENGINES, async (engine) => {
  const random = new Random(SEED);
  const seen = { responses: 0, afterSignal: 0, longestExit: 0, failures: [] as string[] };
  for (let round = 1; round <= ROUNDS; round++) {
    await withService(engine, ENV, (service) => endUnderLoad(service, random, seen));
  }
  const { failures, ...figures } = seen;
  return { figures: { signals: ROUNDS, ...figures }, failures };
});

const ENV = { SHUTDOWN_DRAIN: String(DRAIN), LOG_LEVEL: 'silent' };

/** Sends SIGTERM under load, and records every accepted request without a response. */
async function endUnderLoad(
  service: RunningService,
  random: Random,
  seen: { responses: number; afterSignal: number; longestExit: number; failures: string[] },
): Promise<void> {
  // One account may have 32 requests in progress, and there are 55 callers.
  const accounts = [await service.register(), await service.register()];
  const license = await service.createLicense(accounts[0]!);
  const shutdown = { signalledAt: Infinity, toldAt: Infinity };
  const call = async (agent: http.Agent, what: Call) => {
    const sent = performance.now();
    const response = await exchange(service.url + what.path, { agent, ...requestOf(what) });
    seen.responses += 1;
    if (sent > shutdown.signalledAt) seen.afterSignal += 1;
    if (sent > shutdown.toldAt && response.headers.get('connection') !== 'close') {
      seen.failures.push(`${what.path} got a response without Connection: close`);
    }
    return response;
  };
  /** Opens connections until readiness returns 503. A request without a response was dropped. */
  const callAgainAndAgain = async ({ keepAlive, pause }: (typeof CALLERS)[number]) => {
    const agent = new http.Agent({ keepAlive });
    let isOpen = false;
    while (isOpen || shutdown.toldAt === Infinity) {
      const what = anyCall(random, random.of(accounts).token, license);
      try {
        const { status, headers, text } = await call(agent, what);
        isOpen = headers.get('connection') !== 'close';
        // This many callers overload a slow machine.
        if (status >= 400 && !SHED.some((code) => text.includes(`"${code}"`))) {
          seen.failures.push(`${status} to ${what.method} ${what.path}`);
        }
      } catch (error) {
        const when = Math.round(performance.now() - shutdown.signalledAt);
        const hasKnown = shutdown.toldAt < shutdown.signalledAt + DRAIN * 1000;
        if (isOpen || hasKnown) {
          const where = `on ${isOpen ? 'an open' : 'a new'} connection: ${what.path}`;
          seen.failures.push(`${String(error)} after ${when} ms ${where}`);
        }
        break;
      }
      if (pause) await setTimeout(random.next() * pause);
    }
    agent.destroy();
  };
  const watchReadiness = async () => {
    const agent = new http.Agent();
    while (shutdown.toldAt === Infinity) {
      const sent = performance.now() - shutdown.signalledAt;
      try {
        const { status } = await call(agent, { method: 'GET', path: '/health/ready' });
        if (status === 503 && performance.now() > shutdown.signalledAt) {
          shutdown.toldAt = performance.now();
        } else if (sent > SIGNAL_SEEN) seen.failures.push(`readiness said ${status}`);
      } catch {
        // Not a failure after the drain: a stalling machine may send no probe during it.
        if (sent < DRAIN * 1000) seen.failures.push('readiness never said 503');
        break;
      }
      await setTimeout(PROBE_EVERY);
    }
  };

  const calling = [...CALLERS.map(callAgainAndAgain), watchReadiness()];
  await setTimeout(random.between(200, 600));
  shutdown.signalledAt = performance.now();
  const { code } = await service.end('SIGTERM');
  const exit = Math.round(performance.now() - shutdown.signalledAt);
  await Promise.all(calling);
  seen.longestExit = Math.max(seen.longestExit, exit);
  if (code !== 0) seen.failures.push(`exit code ${code}`);
  if (exit > LONGEST_EXIT) seen.failures.push(`${exit} ms until the exit`);
}

function requestOf({ method, token, body, pause }: Call) {
  const payload = body && Buffer.from(JSON.stringify(body));
  const headers = {
    ...(payload && { 'Content-Type': 'application/json', 'Content-Length': `${payload.length}` }),
    ...(token && { Authorization: `Bearer ${token}` }),
  };
  const inParts = async function* () {
    yield payload!.subarray(0, 5);
    await setTimeout(pause);
    yield payload!.subarray(5);
  };
  return { method, headers, body: pause ? Readable.from(inParts()) : payload };
}

function anyCall(random: Random, token: string, { key }: CreatedLicense): Call {
  const fingerprint = 'fingerprint-of-a-machine';
  const client = { name: 'Acme', email: `${randomUUID()}@acme.example` };
  return random.of<Call>([
    { method: 'POST', path: '/validate', body: { key, fingerprint } },
    { method: 'POST', path: '/validate/activate', body: { key, fingerprint } },
    { method: 'POST', path: '/clients', token, body: client },
    { method: 'POST', path: '/clients', token, body: client, pause: random.between(1, 300) },
    { method: 'GET', path: '/dashboard', token },
  ]);
}
