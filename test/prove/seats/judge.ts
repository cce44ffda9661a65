import { MIN_LEASE } from '../../../src/machines/machine.js';
import type { ServiceClock } from '../clock/service-clock.js';

/** A request with its response, by performance.now(). */
export interface Exchange {
  readonly sent: number;
  readonly received: number;
}

/** A request of a machine. */
export interface Call extends Exchange {
  readonly kind: 'activation' | 'heartbeat' | 'validation' | 'release';
  /** `seat` if the machine holds one, `released`, or the code or status that says why not. */
  readonly outcome: string;
  /** The end of its lease by the service's clock, in milliseconds since 1970; null without one. */
  readonly leaseEndsAt: number | null;
}

/** An acknowledged change. */
export interface Change<T> extends Exchange {
  readonly to: T;
}

/** The responses that the machines and the vendor of a license have seen. */
export interface History {
  /** The calls of each machine, which sends one after the other. */
  readonly machines: readonly (readonly Call[])[];
  /** Starts with the license as created, like {@link leaseSeconds}. */
  readonly maxMachines: readonly Change<number>[];
  readonly leaseSeconds: readonly Change<number | null>[];
  readonly revocation: Exchange;
}

/** The first value of a field, before anything else was sent. */
export const initial = <T>(to: T): Change<T> => ({ to, sent: -Infinity, received: -Infinity });

export const NEVER: Exchange = { sent: Infinity, received: Infinity };

/** The values that may have been in force at some time during an exchange. */
export const inForce = <T>(changes: readonly Change<T>[], { sent, received }: Exchange): T[] =>
  changes
    .filter((change, i) => {
      const replacedAt = changes[i + 1]?.received ?? Infinity;
      return change.sent <= received && replacedAt > sent;
    })
    .map(({ to }) => to);

/** When a machine certainly held a seat: from a response until something may have freed it. */
interface Holding {
  readonly machine: number;
  readonly from: number;
  readonly until: number;
}

/** Outcomes for machines that hold no seat. */
export const WITHOUT_SEAT: readonly string[] = [
  ...['LICENSE_ON_ANOTHER_MACHINE', 'MACHINE_LIMIT_REACHED', 'MACHINE_NOT_FOUND'],
  ...['machine_mismatch', 'lease_ended'],
];
/** Outcomes while a license has no leases. */
const WITHOUT_LEASES = ['LICENSE_HAS_NO_LEASES', 'RELEASE_NOT_ALLOWED'];
const REVOKED = ['LICENSE_REVOKED', 'revoked'];

/** The minimum share of a lease that a heartbeat grants, because smaller moves are skipped. */
const LEAST_SHARE = 0.95;

/** Judges the responses that machines and the vendor got: a failure is one that no order of requests explains. */
export class Judge {
  private readonly holdings: readonly Holding[];

  constructor(
    private readonly history: History,
    private readonly clock: ServiceClock,
  ) {
    this.holdings = history.machines.flatMap((calls, machine) =>
      calls
        .map((call, i) => ({ call, until: this.untilOf(call, calls.slice(i + 1)) }))
        .filter(({ call, until }) => call.outcome === 'seat' && until > call.received)
        .map(({ call, until }) => ({ machine, from: call.received, until })),
    );
  }

  /** The maximum number of seats certainly held at the same time. */
  get most(): number {
    return Math.max(0, ...this.holdings.map(({ from }) => this.holdersAt(from)));
  }

  failures(): string[] {
    const ofCalls = this.history.machines.flatMap((calls, machine) =>
      calls.flatMap((call, i) => {
        const wrong = this.failureOf(call, calls.slice(0, i));
        return wrong ? [`machine ${machine}: the ${call.kind} is ${call.outcome}: ${wrong}`] : [];
      }),
    );
    return [...new Set(this.crowds()), ...ofCalls];
  }

  /** When more seats were certainly held than may have been allowed at that time. */
  private crowds(): string[] {
    const { maxMachines } = this.history;
    const changed = maxMachines.slice(1).map(({ received }) => received);
    return [...this.holdings.map(({ from }) => from), ...changed].flatMap((time) => {
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
  private failureOf(call: Call, before: readonly Call[]): string | undefined {
    const { leaseSeconds, revocation } = this.history;
    const { kind, sent, received, outcome, leaseEndsAt } = call;
    if (outcome === 'released') return undefined;
    if (REVOKED.includes(outcome)) {
      return received < revocation.sent ? 'nobody has revoked it' : undefined;
    }
    // The vendor may release machines of a revoked license, which may have lost their seats.
    if (sent > revocation.received && kind !== 'release') return 'the license is revoked';
    const leases = inForce(leaseSeconds, call);
    if (outcome === 'seat' && kind === 'validation') {
      return hasNoSeat(before) ? 'it had given up its seat, or lost it' : undefined;
    }
    if (outcome === 'seat') {
      const seconds = Math.min(...leases.map((lease) => lease ?? Infinity));
      // The service's clock shows whole milliseconds.
      const least = this.clock.at(sent) - 1 + seconds * 1000 * LEAST_SHARE;
      return (leaseEndsAt ?? Infinity) < least ? 'its lease is too short' : undefined;
    }
    if (WITHOUT_LEASES.includes(outcome)) {
      return leases.includes(null) ? undefined : 'the license has leases';
    }
    if (!WITHOUT_SEAT.includes(outcome)) return 'no machine expects that';
    return this.isHolder(call, before) ? 'the machine held a seat' : undefined;
  }

  /** Whether a machine certainly held a seat during a call, except for the call's own effect. */
  private isHolder({ received }: Call, before: readonly Call[]): boolean {
    return before.some((call, i) => {
      const between = before.slice(i + 1);
      return call.outcome === 'seat' && this.untilOf(call, between) >= received;
    });
  }

  /** When something may free the seat seen by a call, which was certainly held until then. */
  private untilOf(call: Call, later: readonly Call[]): number {
    const { leaseSeconds, revocation } = this.history;
    const { sent, leaseEndsAt } = call;
    const byChange = leaseSeconds
      .filter(({ received, to }) => received >= sent && to !== null)
      .map((change) => this.clock.after(change.sent, change.to!));
    const ends = later
      .filter(({ kind }) => kind !== 'validation')
      // A heartbeat may shorten the lease.
      .map((next) =>
        next.kind === 'release' ? next.sent : this.clock.after(next.sent, MIN_LEASE),
      );
    const told = leaseEndsAt === null ? Infinity : this.clock.when(leaseEndsAt);
    return Math.min(told, revocation.sent, ...byChange, ...ends);
  }
}

/** Whether a machine was told it holds no seat, and has not asked for one since. */
function hasNoSeat(calls: readonly Call[]): boolean {
  const told = calls.findLastIndex(
    ({ outcome }) => outcome === 'released' || WITHOUT_SEAT.includes(outcome),
  );
  const isAsking = ({ kind }: Call) => kind === 'activation' || kind === 'heartbeat';
  return told >= 0 && !calls.slice(told + 1).some(isAsking);
}
