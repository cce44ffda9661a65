import type { CreatedLicense, Developer } from '../e2e/developer.js';
import { EVERY_ENGINE } from '../engines.js';
import type { HttpResponse, HttpCaller } from '../http-caller.js';
import { type Action, isLinearizable, type Observed } from './one-key/linearize.js';
import { prove, SEED, times } from './prove.js';
import { Random } from '../random.js';
import { withService } from './processes.js';

const ROUNDS = times({ short: 10, long: 1_000 });
const CALLERS = 20;
/** A new user begins after this many rounds, before the access token expires. */
const ROUNDS_A_USER = 100;

const MACHINES = Array.from({ length: 8 }, (_, i) => `fingerprint-of-machine-${i}`);

interface Used {
  readonly service: HttpCaller;
  readonly ada: Developer;
  readonly license: CreatedLicense;
}

prove('R3', EVERY_ENGINE, async (engine) => {
  const random = new Random(SEED);
  const seen = {
    ...{ rounds: 0, requests: 0, bound: 0, revoked: 0 },
    'validations after an acknowledged revocation': 0,
  };
  const failures: string[] = [];
  await withService(engine, { LOG_LEVEL: 'silent' }, async (service) => {
    let ada: Developer | undefined;
    let project = '';
    for (; seen.rounds < ROUNDS; seen.rounds++) {
      if (!ada || seen.rounds % ROUNDS_A_USER === 0) {
        ada = await service.register();
        ({ project } = await service.createLicense(ada));
      }
      const license = await service.addLicense(ada, project);
      const used = { service, ada, license };
      const history = await useAtOnce(used, random);
      const last = await observe(used, { kind: 'read' });
      // Of 20 callers: fewer events than eventsOf reads at once.
      const events = await service.eventsOf(ada, license);
      if (!isLinearizable([...history, last])) {
        failures.push(`no order explains ${JSON.stringify([...history, last])}`);
      }
      failures.push(...contradictions(history, events));
      seen.requests += history.length;
      seen.bound += count(history, 'activated');
      seen.revoked += Number(last.outcome.startsWith('REVOKED'));
      seen['validations after an acknowledged revocation'] += validationsAfterRevocation(history);
    }
  });
  return { figures: { ...seen, contradictions: failures.length }, failures };
});

/** Each caller acts on the license, and then validates it for its machine. */
async function useAtOnce(used: Used, random: Random): Promise<Observed[]> {
  const plans = Array.from({ length: CALLERS }, (_, caller) => {
    const machine = random.of(MACHINES);
    return [anyAction(random, machine, caller), { kind: 'validate', machine }] as Action[];
  });
  const observed = plans.map(async ([first, second]) => [
    await observe(used, first!),
    await observe(used, second!),
  ]);
  return (await Promise.all(observed)).flat();
}

function anyAction(random: Random, machine: string, caller: number): Action {
  const chance = random.next();
  if (chance < 0.5) return { kind: 'activate', machine };
  if (chance < 0.65) return { kind: 'validate', machine };
  if (chance < 0.93) return { kind: 'renew' };
  return chance < 0.97 ? { kind: 'revoke', reason: `By caller ${caller}` } : { kind: 'reissue' };
}

async function observe(used: Used, action: Action): Promise<Observed> {
  const began = performance.now();
  const response = await send(used, action);
  return { action, began, ended: performance.now(), outcome: outcomeOf(action, response) };
}

function send({ service, ada, license }: Used, action: Action): Promise<HttpResponse> {
  const { _id, key } = license;
  const { kind } = action;
  if (kind === 'read') return service.get(`/licenses/${_id}`, ada);
  if ('machine' in action) {
    const path = kind === 'activate' ? '/validate/activate' : '/validate';
    return service.post(path, { key, fingerprint: action.machine });
  }
  const reason = 'reason' in action ? { reason: action.reason } : {};
  const body = kind === 'renew' ? { duration: 1 } : reason;
  return service.post(`/licenses/${_id}/${kind}`, body, ada);
}

function outcomeOf({ kind }: Action, { status, body }: HttpResponse): string {
  if (status >= 400) return String(body.code);
  switch (kind) {
    case 'activate':
      return body.message === 'License activated successfully' ? 'activated' : 'activated again';
    case 'validate':
      return String(body.status);
    case 'revoke':
      return `${body.license.status} ${body.license.revokedReason}`;
    case 'renew':
      return `${monthsOf(body.license)} months`;
    case 'reissue':
      return `${body.revoked.status} ${body.revoked.revokedReason}`;
    case 'read':
      return `${body.status} ${monthsOf(body)} months ${body.revokedReason}`;
  }
}

function monthsOf(license: { issuedAt: string; expiresAt: string }): number {
  const [from, to] = [new Date(license.issuedAt), new Date(license.expiresAt)];
  const years = to.getUTCFullYear() - from.getUTCFullYear();
  return years * 12 + to.getUTCMonth() - from.getUTCMonth();
}

const count = (history: readonly Observed[], outcome: string) =>
  history.filter((each) => each.outcome === outcome).length;

/** Contradictions between the events and the responses. */
function contradictions(history: readonly Observed[], events: readonly { type: string }[]) {
  const responses = {
    created: 1,
    activated: count(history, 'activated'),
    renewed: history.filter(({ outcome }) => outcome.endsWith('months')).length,
    reissued: history.filter(
      ({ action, outcome }) => action.kind === 'reissue' && outcome.startsWith('REVOKED'),
    ).length,
  };
  return Object.entries(responses).flatMap(([type, expected]) => {
    const found = events.filter((event) => event.type === `license.${type}`).length;
    return found === expected ? [] : [`${found} events ${type}, and ${expected} responses`];
  });
}

function validationsAfterRevocation(history: readonly Observed[]): number {
  const revoked = history.filter(({ outcome }) => outcome.startsWith('REVOKED'));
  const from = Math.min(...revoked.map(({ ended }) => ended));
  return history.filter(({ action, began }) => action.kind === 'validate' && began > from).length;
}
