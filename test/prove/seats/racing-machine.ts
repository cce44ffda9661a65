import { setTimeout } from 'node:timers/promises';
import type { CreatedLicense, Developer } from '../../e2e/developer.js';
import type { HttpResponse } from '../../http-caller.js';
import type { Random } from '../../random.js';
import type { ServiceClock } from '../clock/service-clock.js';
import type { PatientCaller } from '../patient-caller.js';
import type { Call } from './judge.js';

/** The terms of a license that machines race for. */
export interface Terms {
  readonly maxMachines: number;
  readonly leaseSeconds: number | null;
}

/** Shared by the machines and the vendor of a race. */
export interface Race {
  /** The instances of the service. */
  readonly services: readonly PatientCaller[];
  readonly license: CreatedLicense;
  readonly terms: Terms;
  readonly vendor: Pick<Developer, 'token'>;
  readonly random: Random;
  readonly clock: ServiceClock;
  /** When it ends, by performance.now(). */
  readonly end: number;
}

/** The shortest lease in a race, in seconds. */
export const LEASE = 300;

/** Waits for a random share of the shortest lease, but not beyond the end of the race. */
export function pause({ random, clock, end }: Race, least: number, most: number): Promise<void> {
  const wait = (least + random.next() * (most - least)) * clock.real(LEASE);
  return setTimeout(Math.max(0, Math.min(wait, end - performance.now())));
}

/** How much longer a machine waits for a seat than for a rejection. */
const TIMES_LONGER = 10;
/** Around the end of a lease, in milliseconds. */
const AROUND_END = [-10, 20] as const;

/** A machine that takes a seat whenever it can, and gives it up in different ways. */
export class RacingMachine {
  readonly calls: Call[] = [];
  private readonly fingerprint: string;
  /** Its id, once known from a response. */
  private machineId: string | undefined;

  constructor(
    private readonly race: Race,
    private readonly number: number,
  ) {
    this.fingerprint = `fingerprint-of-machine-${number}`;
  }

  /** Takes seats until the race is over. */
  async run(): Promise<void> {
    const { race } = this;
    await pause(race, 0, 2);
    while (performance.now() < race.end) {
      if (await this.takeSeat()) await this.use();
      else await this.waitForSeat();
    }
    await this.validate();
  }

  /** Takes a seat, uses it and gives it up, a few times; releases it itself if the license has leases. */
  async comeAndGo(times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      if (!(await this.activate())) continue;
      await this.validate();
      await (this.race.terms.leaseSeconds === null ? this.beReleased() : this.release());
      await this.validate();
    }
  }

  activate(): Promise<boolean> {
    return this.post('activation', '/validate/activate');
  }

  validate(): Promise<boolean> {
    return this.post('validation', '/validate');
  }

  /** Once the license is activated, a heartbeat can also take a free seat. */
  private takeSeat(): Promise<boolean> {
    const isActivated = this.calls.length > 0;
    return isActivated && this.race.random.next() < 0.3 ? this.beat() : this.activate();
  }

  /** Waits longer if the service is slower, so that only a few of many machines are served at the same time. */
  private async waitForSeat(): Promise<void> {
    const { sent, received } = this.calls.at(-1)!;
    const shares = (TIMES_LONGER * (received - sent)) / this.race.clock.real(LEASE);
    await pause(this.race, 0.5 + shares, 2 + shares);
  }

  private async use(): Promise<void> {
    const { race } = this;
    for (let left = race.random.between(0, 4); left > 0; left -= 1) {
      await pause(race, 0.1, 0.5);
      const keeps = race.random.next() < 0.7 ? await this.beat() : await this.validate();
      if (!keeps) return;
    }
    const way = race.random.next();
    if (way < 0.25) await this.release();
    else if (way < 0.45) await this.beReleased();
    else if (way < 0.65) await pause(race, 1, 1.3);
    else await this.beatAtLast();
    await this.validate();
    await pause(race, 0, 0.5);
  }

  /** A license without leases has no heartbeats: its machines keep their seats. */
  private async beat(): Promise<boolean> {
    const isHeld = await this.post('heartbeat', '/validate/heartbeat');
    return isHeld || this.calls.at(-1)!.outcome === 'LICENSE_HAS_NO_LEASES';
  }

  /** Sends a heartbeat when its lease ends, just as another machine may take the seat. */
  private async beatAtLast(): Promise<void> {
    const { random, end, clock } = this.race;
    const { leaseEndsAt } = this.calls.at(-1)!;
    const endsAt = leaseEndsAt === null ? Infinity : clock.when(leaseEndsAt);
    const at = Math.min(endsAt, end) + random.between(...AROUND_END);
    await setTimeout(Math.max(0, at - performance.now()));
    await this.beat();
  }

  private release(): Promise<boolean> {
    return this.post('release', '/validate/release');
  }

  /** The vendor releases it, if its id is known. */
  private async beReleased(): Promise<void> {
    const { license, vendor } = this.race;
    if (this.machineId === undefined) return;
    const path = `/licenses/${license._id}/machines/${this.machineId}`;
    await this.call('release', (service) => service.delete(path, vendor));
  }

  private post(kind: Call['kind'], path: string): Promise<boolean> {
    const { key } = this.race.license;
    const body = { key, fingerprint: this.fingerprint };
    return this.call(kind, (service) => service.post(path, body));
  }

  /** @returns whether the response says that the machine holds a seat */
  private async call(
    kind: Call['kind'],
    send: (service: PatientCaller) => Promise<HttpResponse>,
  ): Promise<boolean> {
    const { services } = this.race;
    // It calls the instances in turn.
    const service = services[(this.number + this.calls.length) % services.length]!;
    const sent = performance.now();
    const response = await send(service);
    const received = performance.now();
    const { body } = response;
    this.machineId = body?.machineId ?? this.machineId;
    const outcome = outcomeOf(kind, response, service.timesOf(response));
    const leaseEndsAt = body?.leaseEndsAt ? Date.parse(body.leaseEndsAt) : null;
    this.calls.push({ kind, sent, received, outcome, leaseEndsAt });
    return outcome === 'seat';
  }
}

function outcomeOf(kind: Call['kind'], { status, body }: HttpResponse, times: number): string {
  if (kind === 'release') {
    // A release with an unknown outcome may have happened before it is retried.
    const isRepeat = body?.code === 'MACHINE_NOT_FOUND' && times > 1;
    return status < 300 || isRepeat ? 'released' : String(body.code);
  }
  if (status !== 200) return String(body.code);
  return body.valid === false ? String(body.status) : 'seat';
}
