import { setTimeout } from 'node:timers/promises';
import type { CreatedLicense, Developer } from '../e2e/developer.js';
import type { HttpCaller, HttpResponse } from '../http-caller.js';
import { PatientCaller } from './patient-caller.js';
import { type Outcome, times } from './prove.js';

const ROUNDS = times({ short: 6, long: 1_000 });
const PLACES = 3;
const MACHINES = Array.from({ length: 20 }, (_, i) => `fingerprint-of-machine-${i}`);
/** Activations of a machine in a round with releases. */
const TIMES = 2;
/** Rounds at the same time, each with a license and a user of its own. */
const LANES = 4;
/** The user of a lane logs in again after this many rounds, before the access token expires. */
const ROUNDS_A_SESSION = 50;

/** What happens in a round beside the activations. */
const KINDS = ['nothing', 'releases', 'releases and a revocation'] as const;
/** Every other three rounds are of floating licenses, which machines release themselves. */
const TERMS = [{}, { leaseSeconds: 600, release: 'self' }];

const newSeen = () => ({
  ...{ rounds: 0, activations: 0, rejections: 0, releases: 0, revocations: 0 },
  'most places at once': 0,
});

/**
 * R15: machines race for the places of one license, which fewer may have.
 *
 * @param instances the service, or instances of it on one store, which the machines call in turn
 */
export async function raceForPlaces(instances: readonly HttpCaller[]): Promise<Outcome> {
  const seen = newSeen();
  const failures: string[] = [];
  const callers = instances.map((instance) => new PatientCaller(instance));
  const [service] = callers as [PatientCaller];
  const race = async (user: Developer) => {
    let ada = user;
    const { project } = await service.createLicense(ada);
    for (let rounds = 1; seen.rounds < ROUNDS; rounds += 1) {
      const number = seen.rounds;
      seen.rounds += 1;
      if (rounds % ROUNDS_A_SESSION === 0) ada = await service.logIn(ada);
      const kind = KINDS[number % KINDS.length]!;
      const terms = TERMS[Math.floor(number / KINDS.length) % TERMS.length];
      const license = await service.addLicense(ada, project, { maxMachines: PLACES, ...terms });
      const round = new Round(number, callers, ada, license, seen, failures);
      await (kind === 'nothing' ? round.fill() : round.comeAndGo(kind !== 'releases'));
    }
  };
  const users: Developer[] = [];
  // Before the race: a registration whose outcome is unknown cannot be sent again.
  while (users.length < LANES) users.push(await service.register());
  await Promise.all(users.map(race));
  const sumOf = (count: 'requests' | 'repeated' | 'unavailable') =>
    callers.reduce((sum, caller) => sum + caller[count], 0);
  return {
    figures: {
      ...seen,
      requests: sumOf('requests'),
      'sent again': sumOf('repeated'),
      'store unavailable': sumOf('unavailable'),
    },
    failures,
  };
}

class Round {
  /** When machines certainly had a place: from the response that gave it until the request that could end it. */
  private readonly held: { readonly from: number; readonly until: number }[] = [];
  /** When the revocation was sent, and when it was acknowledged. */
  private revokedFrom = Infinity;
  private revokedAt = Infinity;

  constructor(
    private readonly number: number,
    private readonly callers: readonly PatientCaller[],
    private readonly ada: Developer,
    private readonly license: CreatedLicense,
    private readonly seen: ReturnType<typeof newSeen>,
    private readonly failures: string[],
  ) {}

  /** Nobody releases a place: as many machines as there are places get one. */
  async fill(): Promise<void> {
    const machines = [...MACHINES.keys()];
    const raced = await Promise.all(machines.map((machine) => this.activate(machine)));
    const taken = raced.filter((response) => response.status === 200).length;
    if (taken !== PLACES) this.fail(`${taken} machines have a place`);
    const valid = await Promise.all(machines.map((machine) => this.validate(machine)));
    const active = valid.filter((status) => status === 'active').length;
    if (active !== PLACES) this.fail(`${active} machines are valid`);
    await this.count(PLACES);
    this.noteMost(taken);
  }

  /** Each machine takes a place and releases it, some times; the license may be revoked meanwhile. */
  async comeAndGo(isRevoked: boolean): Promise<void> {
    const work = MACHINES.map((_, machine) => this.useAndRelease(machine));
    await Promise.all([...work, this.watch(), ...(isRevoked ? [this.revoke()] : [])]);
    const most = this.mostAtOnce();
    this.noteMost(most);
    if (most === 0 && !isRevoked) this.fail('no machine certainly had a place');
    if (most > PLACES) this.fail(`${most} machines had a place at the same time`);
    if (!isRevoked) await this.count(0);
  }

  private async useAndRelease(machine: number): Promise<void> {
    for (let time = 0; time < TIMES; time += 1) {
      const { status, body } = await this.activate(machine);
      if (status !== 200) continue;
      const from = performance.now();
      const during = await this.validate(machine);
      if (during !== 'active' && this.revokedFrom === Infinity) {
        this.fail(`a machine with a place is ${during}`);
      }
      this.held.push({ from, until: performance.now() });
      await this.release(machine, body.machineId);
      const after = await this.validate(machine);
      if (after === 'active') this.fail('a released machine is valid');
    }
  }

  private async activate(machine: number): Promise<HttpResponse> {
    const fingerprint = MACHINES[machine];
    const check = { key: this.license.key, fingerprint, machineName: fingerprint };
    const service = this.at(machine);
    const response = await service.post('/validate/activate', check);
    const { status, body } = response;
    if (status === 200) {
      this.seen.activations += 1;
      const isLate = service.sendingOf(response).at > this.revokedAt;
      if (isLate) this.fail('it is activated after its revocation');
    } else {
      this.seen.rejections += 1;
      const isExpected =
        body.code === 'MACHINE_LIMIT_REACHED' ||
        (body.code === 'LICENSE_REVOKED' && this.revokedFrom < Infinity);
      if (!isExpected) this.fail(`an activation is ${status} ${body.code}`);
    }
    return response;
  }

  private async validate(machine: number): Promise<string> {
    const began = performance.now();
    const status = await this.at(machine + 1).validationOf(this.license, MACHINES[machine]);
    if (began > this.revokedAt && status !== 'revoked') this.fail(`it is ${status}, and revoked`);
    return status;
  }

  /** By the machine itself where that is allowed, else by the vendor. */
  private async release(machine: number, machineId?: string): Promise<void> {
    const { _id, key } = this.license;
    const self = 'leaseSeconds' in this.license && this.license.leaseSeconds !== null;
    const service = this.at(machine);
    const response = self
      ? await service.post('/validate/release', { key, fingerprint: MACHINES[machine] })
      : await service.delete(
          `/licenses/${_id}/machines/${machineId ?? (await this.idOf(machine))}`,
          this.ada,
        );
    const { status, body } = response;
    const isLate = body?.code === 'LICENSE_REVOKED' && this.revokedFrom < Infinity;
    // A release whose outcome was unknown may have been made before it is sent again.
    const { times: sent } = service.sendingOf(response);
    const isRepeat = body?.code === 'MACHINE_NOT_FOUND' && sent > 1;
    if (status < 300 || isRepeat) this.seen.releases += 1;
    else if (!isLate) this.fail(`a release is ${status} ${body.code}`);
  }

  /** The id of a machine whose activation was sent again: a response that it had a place by then has none. */
  private async idOf(machine: number): Promise<string> {
    const listed = (await this.list(machine)).find(({ name }) => name === MACHINES[machine]);
    if (!listed) this.fail('a machine with a place is not listed');
    return String(listed?.machineId);
  }

  private async list(index: number): Promise<{ machineId: string; name: string }[]> {
    const path = `/licenses/${this.license._id}/machines`;
    const { body } = await this.at(index).get(path, this.ada);
    return body.data;
  }

  private async revoke(): Promise<void> {
    // Amid the activations: some machines have had their place by then.
    await setTimeout(10 + (this.number % 40));
    this.revokedFrom = performance.now();
    const path = `/licenses/${this.license._id}/revoke`;
    const { status } = await this.at(0).post(path, {}, this.ada);
    this.revokedAt = performance.now();
    this.seen.revocations += 1;
    if (status !== 200) this.fail(`a revocation is ${status}`);
  }

  /** The list of machines never has more than there are places. */
  private async watch(): Promise<void> {
    for (let time = 0; time < 4; time += 1) {
      const { length } = await this.list(time);
      if (length > PLACES) this.fail(`${length} machines are listed`);
    }
  }

  private async count(expected: number): Promise<void> {
    const { body } = await this.at(1).get(`/licenses/${this.license._id}`, this.ada);
    if (body.machinesCount !== expected) this.fail(`${body.machinesCount} machines are counted`);
  }

  private at(index: number): PatientCaller {
    return this.callers[index % this.callers.length]!;
  }

  /** The most places that machines certainly had at the same time: as many as when one of them was taken. */
  private mostAtOnce(): number {
    const open = this.held.filter(({ from }) => from < this.revokedFrom);
    const counts = open.map(
      ({ from }) => open.filter((one) => one.from <= from && from < one.until).length,
    );
    return Math.max(0, ...counts);
  }

  private noteMost(places: number): void {
    this.seen['most places at once'] = Math.max(this.seen['most places at once'], places);
  }

  private fail(what: string): void {
    this.failures.push(`round ${this.number}: ${what}`);
  }
}
