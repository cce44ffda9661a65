import { MIN_LEASE } from '../../../src/machines/machine.js';
import type { ServiceClock } from '../clock/service-clock.js';
import { type Call, type Exchange, type History, inForce } from './history.js';

/** When a seat was certainly taken by a machine: from a response until something may have freed it. */
interface Holding {
  readonly machine: number;
  readonly from: number;
  readonly until: number;
}

/** Outcomes for machines that hold no seat. */
export const WITHOUT_SEAT: readonly string[] = [
  ...['MACHINE_LIMIT_REACHED', 'MACHINE_NOT_FOUND'],
  ...['machine_mismatch', 'lease_ended'],
];
/** Outcomes while a license has no leases. */
const WITHOUT_LEASES = ['LICENSE_HAS_NO_LEASES', 'RELEASE_NOT_ALLOWED'];
const REVOKED = ['LICENSE_REVOKED', 'revoked'];

/** Share of a lease that a heartbeat grants at least: it moves no end by less than the rest. */
const LEAST_SHARE = 0.95;

/** Judges what machines and the vendor have seen of a license, as no order of their requests explains some of it. */
export class Judge {
  private readonly holdings: readonly Holding[];

  constructor(
    private readonly history: History,
    private readonly clock: ServiceClock,
  ) {
    this.holdings = history.machines.flatMap((calls, machine) =>
      calls.flatMap((call, index) => {
        const until = this.untilOf(call, calls.slice(index + 1));
        const isCertain = call.outcome === 'seat' && until > call.received;
        return isCertain ? [{ machine, from: call.received, until }] : [];
      }),
    );
  }

  /** The most seats that were certainly taken at the same time. */
  get most(): number {
    return Math.max(0, ...this.holdings.map(({ from }) => this.holdersAt(from)));
  }

  /** Heartbeats of machines that certainly held a seat, and those of them that were rejected for a while. */
  get heartbeats(): { readonly sent: number; readonly repeated: number } {
    const ofHolders = this.history.machines.flatMap((calls) =>
      calls.filter((call, index) => call.kind === 'heartbeat' && this.isHolder(calls, index)),
    );
    const repeated = ofHolders.filter(({ times }) => times > 1);
    return { sent: ofHolders.length, repeated: repeated.length };
  }

  failures(): string[] {
    const { machines } = this.history;
    const ofCalls = machines.flatMap((calls, machine) =>
      calls.flatMap((call, index) => {
        const wrong = this.failureOf(calls, index);
        return wrong ? [`machine ${machine}: the ${call.kind} is ${call.outcome}: ${wrong}`] : [];
      }),
    );
    return [...new Set(this.crowds()), ...ofCalls];
  }

  /** When more seats were certainly taken than may have been allowed at that time. */
  private crowds(): string[] {
    const { maxMachines } = this.history;
    const times = [
      ...this.holdings.map(({ from }) => from),
      ...maxMachines.slice(1).map((one) => one.received),
    ];
    return times.flatMap((time) => {
      const holders = this.holdersAt(time);
      const allowed = Math.max(...inForce(maxMachines, { sent: time, received: time }));
      return holders > allowed ? [`${holders} seats were taken, of ${allowed}`] : [];
    });
  }

  private holdersAt(time: number): number {
    const open = this.holdings.filter(({ from, until }) => from <= time && time < until);
    return new Set(open.map(({ machine }) => machine)).size;
  }

  /** Why the outcome of a call is wrong; undefined if it may be right. */
  private failureOf(calls: readonly Call[], index: number): string | undefined {
    const call = calls[index]!;
    const { leaseSeconds, revocation } = this.history;
    const { kind, sent, received, outcome, seats } = call;
    if (outcome === 'released') return undefined;
    if (REVOKED.includes(outcome)) {
      return received < revocation.sent ? 'nobody has revoked it' : undefined;
    }
    // The vendor may release machines of a revoked license, which may have lost their seats.
    if (sent > revocation.received && kind !== 'release') return 'the license is revoked';
    const leases = inForce(leaseSeconds, call);
    if (outcome === 'seat') return this.failureOfSeat(calls, index, leases);
    if (WITHOUT_LEASES.includes(outcome)) {
      return leases.includes(null) ? undefined : 'the license has leases';
    }
    if (!WITHOUT_SEAT.includes(outcome)) return 'no machine expects that';
    if (seats && seats.used > seats.max) return `${seats.used} of ${seats.max} seats are taken`;
    return this.isHolder(calls, index) ? 'the machine held a seat' : undefined;
  }

  private failureOfSeat(
    calls: readonly Call[],
    index: number,
    leases: readonly (number | null)[],
  ): string | undefined {
    const { kind, sent, leaseEndsAt } = calls[index]!;
    if (kind === 'validation') {
      return hasNoSeat(calls.slice(0, index)) ? 'it had given up its seat, or lost it' : undefined;
    }
    if (leaseEndsAt === null) {
      return leases.includes(null) ? undefined : 'its lease has no end';
    }
    const seconds = leases.filter((lease) => lease !== null);
    // The clock of the service shows whole milliseconds.
    const least = this.clock.at(sent) - 1 + Math.min(...seconds) * 1000 * LEAST_SHARE;
    return leaseEndsAt < least ? 'its lease is too short' : undefined;
  }

  /** Whether a machine certainly held a seat during one of its calls, but for what the call itself may do. */
  private isHolder(calls: readonly Call[], index: number): boolean {
    const { received } = calls[index]!;
    return calls.slice(0, index).some((before, first) => {
      const between = calls.slice(first + 1, index);
      // Not any more once it is released, although a certificate keeps the seat taken.
      const isReleased = between.some(({ kind }) => kind === 'release');
      return before.outcome === 'seat' && !isReleased && this.untilOf(before, between) >= received;
    });
  }

  /** When something may free the seat that a call has shown, which was certainly taken until then. */
  private untilOf(call: Call, later: readonly Call[]): number {
    const { leaseSeconds, revocation } = this.history;
    const { sent, leaseEndsAt } = call;
    const byChange = leaseSeconds.flatMap((change) =>
      change.received >= sent && change.to !== null
        ? [this.clock.after(change.sent, change.to)]
        : [],
    );
    const ends = later.flatMap((next) => {
      if (next.kind === 'validation') return [];
      if (next.kind === 'release') return this.outlasts(call, next) ? [] : [next.sent];
      // The lease may have become shorter.
      return [this.clock.after(next.sent, MIN_LEASE)];
    });
    const told = leaseEndsAt === null ? Infinity : this.clock.when(leaseEndsAt);
    return Math.min(told, revocation.sent, ...byChange, ...ends);
  }

  /** Whether a seat stays taken after its release, until the end of the certificate that the machine has with its lease. */
  private outlasts(call: Call, release: Exchange): boolean {
    const { leaseSeconds } = this.history;
    if (!call.isCertified || call.leaseEndsAt === null) return false;
    // Certificates of earlier leases hold no seat.
    const isSame = inForce(leaseSeconds, { sent: call.sent, received: release.received });
    return isSame.length === 1;
  }
}

/** Whether a machine was told that it holds no seat, and has asked for none since. */
function hasNoSeat(calls: readonly Call[]): boolean {
  const told = calls.findLastIndex(
    ({ outcome }) => outcome === 'released' || WITHOUT_SEAT.includes(outcome),
  );
  const isAsking = ({ kind }: Call) => kind === 'activation' || kind === 'heartbeat';
  return told >= 0 && !calls.slice(told + 1).some(isAsking);
}
