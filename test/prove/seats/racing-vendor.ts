import type { PatientCaller } from '../patient-caller.js';
import { type Change, type Exchange, inForce, initial, NEVER } from './history.js';
import { pause, type Race } from './racing-machine.js';

/** The terms of a license that machines race for. */
export const SEATS = 20;
/** Seconds of the lease, and another length of it that the vendor sets. */
export const LEASES = [300, 450] as const;

/** Range of the seats that the vendor sets, and the most that are added or removed in a row. */
const [LEAST, MOST] = [12, 28];
const STEP = 6;

/** A vendor who changes the terms of a license again and again, and revokes it in the end. */
export class RacingVendor {
  readonly maxMachines: Change<number>[];
  readonly leaseSeconds: Change<number | null>[];
  revocation: Exchange = NEVER;
  readonly failures: string[] = [];
  /** Changes that were rejected as more machines held a seat. */
  inVain = 0;
  private requests = 0;

  constructor(
    private readonly race: Race,
    seats = SEATS,
    leaseSeconds: number | null = LEASES[0],
  ) {
    this.maxMachines = [initial(seats)];
    this.leaseSeconds = [initial(leaseSeconds)];
  }

  /** Revokes the license at the end of the race. */
  async run(): Promise<void> {
    const isOver = () => performance.now() >= this.race.end;
    const changing = [
      this.repeat(isOver, async () => {
        await (this.race.random.next() < 0.7 ? this.resize() : this.look());
        // A change overtakes each activation that is being decided.
        await pause(this.race, 0.1, 0.7);
      }),
      this.repeat(isOver, async () => {
        const isFloating = this.current(this.leaseSeconds) !== null;
        await (isFloating ? pause(this.race, 0.5, 2) : pause(this.race, 0.1, 0.5));
        if (!isOver()) await this.setLeases();
      }),
    ];
    await Promise.all(changing);
    await this.revoke();
  }

  async revoke(): Promise<void> {
    this.revocation = { sent: performance.now(), received: Infinity };
    await this.send('POST', '/revoke', {});
    this.revocation = { ...this.revocation, received: performance.now() };
  }

  private async repeat(isOver: () => boolean, work: () => Promise<void>): Promise<void> {
    while (!isOver()) await work();
  }

  /** Adds seats, or not, and removes them one by one until all that are left are taken. */
  private async resize(): Promise<void> {
    const before = this.current(this.maxMachines);
    const raised = this.race.random.next() < 0.5 ? Math.min(before + STEP, MOST) : before;
    if (raised > before) await this.change({ maxMachines: raised });
    const least = Math.max(raised - STEP, LEAST);
    for (let to = raised - 1; to >= least; to -= 1) {
      if (!(await this.change({ maxMachines: to }))) return;
    }
  }

  /** To no leases, which ends heartbeats, and back to leases. */
  private setLeases(): Promise<boolean> {
    const { random } = this.race;
    const isFloating = this.current(this.leaseSeconds) !== null;
    const to = isFloating && random.next() < 0.6 ? null : random.of(LEASES);
    return this.change({ leaseSeconds: to });
  }

  /** @returns whether the change was made; not if more machines hold a seat */
  async change(terms: {
    readonly maxMachines?: number;
    readonly leaseSeconds?: number | null;
  }): Promise<boolean> {
    const sent = performance.now();
    const isMade = await this.send('PATCH', '', terms);
    const at = { sent, received: performance.now() };
    if (!isMade) this.inVain += 1;
    else if (terms.maxMachines !== undefined)
      this.maxMachines.push({ to: terms.maxMachines, ...at });
    else this.leaseSeconds.push({ to: terms.leaseSeconds!, ...at });
    return isMade;
  }

  /** What the license and the list of its machines show is never more than allowed. */
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
    for (const count of counts) {
      if (count > allowed) this.failures.push(`${count} machines are shown, of ${allowed}`);
    }
    return counts;
  }

  /** @returns whether a request about the license was accepted */
  private async send(method: string, path: string, body: object): Promise<boolean> {
    const { license, vendor } = this.race;
    const whole = `/licenses/${license._id}${path}`;
    const response = await this.service.send(method, whole, JSON.stringify(body), vendor);
    const isInVain = response.body.code === 'MACHINES_IN_USE';
    if (response.status !== 200 && !isInVain) {
      this.failures.push(`${response.status} ${response.body.code} to ${JSON.stringify(body)}`);
    }
    return response.status === 200;
  }

  private current<T>(changes: readonly Change<T>[]): T {
    return changes.at(-1)!.to;
  }

  /** The vendor calls the instances in turn. */
  private get service(): PatientCaller {
    const { services } = this.race;
    this.requests += 1;
    return services[this.requests % services.length]!;
  }
}
