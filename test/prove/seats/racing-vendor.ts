import { type Change, type Exchange, inForce, initial, NEVER } from './judge.js';
import { LEASE, pause, type Race } from './racing-machine.js';

/** Range of seats the vendor sets, and the maximum change in a row. */
const LEAST = 12;
export const MOST = 28;
const STEP = 6;
/** The lease lengths it sets, in seconds. */
const LEASES = [LEASE, 450];

/** A vendor who keeps changing the terms of a license, and finally revokes it. */
export class RacingVendor {
  readonly maxMachines: Change<number>[];
  readonly leaseSeconds: Change<number | null>[];
  revocation: Exchange = NEVER;
  readonly failures: string[] = [];
  /** Changes rejected because more machines held a seat. */
  rejected = 0;
  private requests = 0;

  constructor(private readonly race: Race) {
    this.maxMachines = [initial(race.terms.maxMachines)];
    this.leaseSeconds = [initial(race.terms.leaseSeconds)];
  }

  /** Revokes the license at the end of the race. */
  async run(): Promise<void> {
    const { random, end } = this.race;
    while (performance.now() < end) {
      const chance = random.next();
      // While the license has no leases, no lease expires and no heartbeat is sent.
      if (chance < 0.25 || !this.isFloating) await this.setLeases();
      else await (chance < 0.8 ? this.resize() : this.look());
      // Every activation being decided is overtaken by a change.
      await pause(this.race, 0.1, 0.5);
    }
    await this.revoke();
  }

  async revoke(): Promise<void> {
    this.revocation = { sent: performance.now(), received: Infinity };
    await this.send('POST', '/revoke', {});
    this.revocation = { ...this.revocation, received: performance.now() };
  }

  /** The license and its machine list never show more than allowed. */
  async look(): Promise<number[]> {
    const { license, vendor } = this.race;
    const sent = performance.now();
    const path = `/licenses/${license._id}`;
    const [shown, list] = await Promise.all([
      this.service.get(path, vendor),
      this.service.get(`${path}/machines?limit=100&total=true`, vendor),
    ]);
    const allowed = Math.max(...inForce(this.maxMachines, { sent, received: performance.now() }));
    const counts = [shown.body.machinesCount, list.body.data.length, list.body.total] as number[];
    const tooMany = counts.filter((count) => count > allowed);
    this.failures.push(...tooMany.map((count) => `${count} machines are shown, of ${allowed}`));
    return counts;
  }

  /** Optionally adds seats, then removes them one by one until all remaining ones are taken. */
  private async resize(): Promise<void> {
    const before = this.maxMachines.at(-1)!.to;
    const raised = this.race.random.next() < 0.5 ? Math.min(before + STEP, MOST) : before;
    if (raised > before) await this.change('maxMachines', this.maxMachines, raised);
    const least = Math.max(raised - STEP, LEAST);
    for (let to = raised - 1; to >= least; to -= 1) {
      if (!(await this.change('maxMachines', this.maxMachines, to))) return;
    }
  }

  /** Removes leases, which ends heartbeats, and sets them again. */
  private setLeases(): Promise<boolean> {
    const { random } = this.race;
    const to = this.isFloating && random.next() < 0.6 ? null : random.of(LEASES);
    return this.change('leaseSeconds', this.leaseSeconds, to);
  }

  private get isFloating(): boolean {
    return this.leaseSeconds.at(-1)!.to !== null;
  }

  /** @returns whether the change was made; false if more machines hold a seat */
  private async change<T>(field: string, changes: Change<T>[], to: T): Promise<boolean> {
    const sent = performance.now();
    const isMade = await this.send('PATCH', '', { [field]: to });
    if (isMade) changes.push({ to, sent, received: performance.now() });
    else this.rejected += 1;
    return isMade;
  }

  /** @returns whether a request about the license was accepted */
  private async send(method: string, path: string, body: object): Promise<boolean> {
    const { license, vendor } = this.race;
    const whole = `/licenses/${license._id}${path}`;
    const response = await this.service.send(method, whole, JSON.stringify(body), vendor);
    if (response.status !== 200 && response.body.code !== 'MACHINES_IN_USE') {
      this.failures.push(`${response.status} ${response.body.code} to ${JSON.stringify(body)}`);
    }
    return response.status === 200;
  }

  /** The vendor calls the instances in turn. */
  private get service() {
    const { services } = this.race;
    this.requests += 1;
    return services[this.requests % services.length]!;
  }
}
