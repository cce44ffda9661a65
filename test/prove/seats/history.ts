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
  /** The end of its lease by the clock of the service, in milliseconds since 1970; null without one. */
  readonly leaseEndsAt: number | null;
  /** Whether it got a certificate. */
  readonly isCertified: boolean;
  /** How many seats are taken, of how many, as a rejection tells. */
  readonly seats: { readonly used: number; readonly max: number } | null;
  /** How often it was sent until it was accepted. */
  readonly times: number;
}

/** A change that was acknowledged. */
export interface Change<T> extends Exchange {
  readonly to: T;
}

/** What machines and the vendor of a license have seen of it. */
export interface History {
  /** The calls of each machine, which sends one after the other. */
  readonly machines: readonly (readonly Call[])[];
  /** Begins with the license as it was created, as {@link leaseSeconds} does. */
  readonly maxMachines: readonly Change<number>[];
  readonly leaseSeconds: readonly Change<number | null>[];
  readonly revocation: Exchange;
}

/** The first value of a field, which it had before anything else was sent. */
export const initial = <T>(to: T): Change<T> => ({ to, sent: -Infinity, received: -Infinity });

export const NEVER: Exchange = { sent: Infinity, received: Infinity };

/** The values that may have been in force at some time during an exchange. */
export const inForce = <T>(changes: readonly Change<T>[], { sent, received }: Exchange): T[] =>
  changes
    .filter((change, index) => {
      const replacedAt = changes[index + 1]?.received ?? Infinity;
      return change.sent <= received && replacedAt > sent;
    })
    .map(({ to }) => to);
