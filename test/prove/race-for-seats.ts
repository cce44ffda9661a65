import { setTimeout } from 'node:timers/promises';
import type { CreatedLicense, Developer } from '../e2e/developer.js';
import type { HttpCaller, HttpResponse } from '../http-caller.js';
import { PatientCaller } from './patient-caller.js';
import { type Outcome, times } from './prove.js';

const ROUNDS = times({ short: 6, long: 1_000 });
const SEATS = 3;
const MACHINES = Array.from({ length: 20 }, (_, i) => `fingerprint-of-machine-${i}`);
/** Activations of a machine in a round with releases. */
const TIMES = 2;
/** Rounds at the same time, each with a license and a user of its own. */
const LANES = 4;
/** The user of a lane logs in again after this many rounds, before the access token expires. */
const ROUNDS_A_SESSION = 50;

/** What happens in a round beside the activations. */
const KINDS = ['nothing', 'releases', 'releases and a revocation'] as const;
/** Every other three rounds are of floating licenses, whose machines release themselves. */
const TERMS = [{}, { leaseSeconds: 600 }];

interface ListOfMachines {
  readonly data: readonly { readonly machineId: string; readonly name: string }[];
  readonly total: number;
}

const newSeen = () => ({
  ...{ rounds: 0, activations: 0, rejections: 0, releases: 0, revocations: 0 },
  'most seats at once': 0,
});

/**
 * R15: machines race for the seats of one license, of which there are fewer.
 *
 * @param instances the service, or instances of it on one store, which the machines call in turn
 */
export async function raceForSeats(instances: readonly HttpCaller[]): Promise<Outcome> {
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
      const license = await service.addLicense(ada, project, { maxMachines: SEATS, ...terms });
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
  /** When machines certainly held a seat: from the response that gave it until the request that could end it. */
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

  /** Nobody releases a seat: as many machines as there are seats get one. */
  async fill(): Promise<void> {
    const machines = [...MACHINES.keys()];
    const raced = await Promise.all(machines.map((machine) => this.activate(machine)));
    const taken = raced.filter((response) => response.status === 200).length;
    if (taken !== SEATS) this.fail(`${taken} machines hold a seat`);
    const valid = await Promise.all(machines.map((machine) => this.validate(machine)));
    const active = valid.filter((status) => status === 'active').length;
    if (active !== SEATS) this.fail(`${active} machines are valid`);
    await this.count(SEATS);
    this.noteMost(taken);
  }

  /** Each machine takes a seat and releases it, a few times; the license may be revoked meanwhile. */
  async comeAndGo(isRevoked: boolean): Promise<void> {
    const work = MACHINES.map((_, machine) => this.useAndRelease(machine));
    await Promise.all([...work, this.watch(), ...(isRevoked ? [this.revoke()] : [])]);
    const most = this.mostAtOnce();
    this.noteMost(most);
    if (most === 0 && !isRevoked) this.fail('no machine certainly held a seat');
    if (most > SEATS) this.fail(`${most} machines held a seat at the same time`);
    if (!isRevoked) await this.count(0);
  }

  private async useAndRelease(machine: number): Promise<void> {
    for (let time = 0; time < TIMES; time += 1) {
      const { status, body } = await this.activate(machine);
      if (status !== 200) continue;
      const from = performance.now();
      const during = await this.validate(machine);
      if (during !== 'active' && this.revokedFrom === Infinity) {
        this.fail(`a machine with a seat is ${during}`);
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

  /** By the machine itself if it is floating, else by the vendor. */
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

  /** The id of a machine whose activation was sent again: the response that it held a seat by then has none. */
  private async idOf(machine: number): Promise<string> {
    const { data } = await this.list(machine);
    const listed = data.find(({ name }) => name === MACHINES[machine]);
    if (!listed) this.fail('a machine with a seat is not listed');
    return String(listed?.machineId);
  }

  private async list(index: number): Promise<ListOfMachines> {
    const path = `/licenses/${this.license._id}/machines?limit=100&total=true`;
    return (await this.at(index).get(path, this.ada)).body;
  }

  private async revoke(): Promise<void> {
    // During the activations: some machines have held a seat by then.
    await setTimeout(10 + (this.number % 40));
    this.revokedFrom = performance.now();
    const path = `/licenses/${this.license._id}/revoke`;
    const { status } = await this.at(0).post(path, {}, this.ada);
    this.revokedAt = performance.now();
    this.seen.revocations += 1;
    if (status !== 200) this.fail(`a revocation is ${status}`);
  }

  /** The list of machines never has more than there are seats. */
  private async watch(): Promise<void> {
    for (let time = 0; time < 4; time += 1) {
      const { data, total } = await this.list(time);
      if (data.length > SEATS) this.fail(`${data.length} machines are listed`);
      if (total > SEATS) this.fail(`${total} machines are counted for the list`);
    }
  }

  private async count(expected: number): Promise<void> {
    const { machinesCount, machineId } = await this.at(1).readLicense(this.ada, this.license);
    if (machinesCount !== expected) this.fail(`${machinesCount} machines are counted`);
    if (machineId !== null) this.fail('one of several machines is shown as its only one');
  }

  private at(index: number): PatientCaller {
    return this.callers[index % this.callers.length]!;
  }

  /** The most seats that machines certainly held at the same time: as many as when one of them was taken. */
  private mostAtOnce(): number {
    const open = this.held.filter(({ from }) => from < this.revokedFrom);
    const counts = open.map(
      ({ from }) => open.filter((one) => one.from <= from && from < one.until).length,
    );
    return Math.max(0, ...counts);
  }

  private noteMost(seats: number): void {
    this.seen['most seats at once'] = Math.max(this.seen['most seats at once'], seats);
  }

  private fail(what: string): void {
    this.failures.push(`round ${this.number}: ${what}`);
  }
}
