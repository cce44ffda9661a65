import { CONTACT_FAILURES, type Status } from './status.js';

/** Milliseconds between two checks of the clock: a timer alone does not count the time of a laptop that sleeps. */
const TICK_MS = 60_000;
/** Seconds between two requests. */
const MAX_INTERVAL = 86_400;
const MIN_INTERVAL = 60;
/** After a request that failed, at first and at most; it doubles with each. */
const FIRST_RETRY = 60;
const MAX_RETRY = 3600;

/** The last request. */
export interface Contact {
  /** Seconds since 1970. */
  readonly at: number;
  /** How many requests have failed since the last one that did not. */
  readonly failures: number;
}

/**
 * When the next request is due: at a third of the time that the certificate had left, and daily.
 *
 * @param validUntil the end of the present certificate
 * @returns seconds since 1970
 */
export function nextContact({ at, failures }: Contact, validUntil: Date | null): number {
  if (failures > 0) return at + Math.min(MAX_RETRY, FIRST_RETRY * 2 ** (failures - 1));
  const rest = validUntil === null ? Infinity : validUntil.getTime() / 1000 - at;
  return at + Math.max(MIN_INTERVAL, Math.min(MAX_INTERVAL, rest / 3));
}

interface Source {
  /** Seconds since 1970. */
  readonly now: () => number;
  readonly status: () => Status;
  /** Refreshes the license, or its lease. Its reason says whether the request failed. */
  readonly refresh: () => Promise<Status>;
}

/**
 * Requests at once, and then whenever a request is due. Returns the function that ends it.
 *
 * @param onChange what it throws becomes a warning of the process: the license is refreshed all the same
 */
export function keepFresh(
  source: Source,
  onChange: (status: Status) => unknown = () => undefined,
): () => void {
  let contact: Contact | undefined;
  let state: string | undefined;
  let isBusy = false;
  let isStopped = false;
  const isDue = () => {
    if (!contact) return true;
    const now = source.now();
    // A clock that was set back makes no request wait for longer.
    return now < contact.at || now >= nextContact(contact, source.status().validUntil);
  };
  const check = async () => {
    if (isBusy || !isDue()) return;
    isBusy = true;
    const status = await source.refresh();
    isBusy = false;
    const hasFailed = status.reason !== null && CONTACT_FAILURES.has(status.reason);
    contact = { at: source.now(), failures: hasFailed ? (contact?.failures ?? 0) + 1 : 0 };
    if (isStopped || status.state === state) return;
    state = status.state;
    try {
      await onChange(status);
    } catch (error) {
      process.emitWarning(error instanceof Error ? error : String(error));
    }
  };
  const timer = setInterval(() => void check(), TICK_MS);
  // It does not keep a program running.
  timer.unref();
  void check();
  return () => {
    isStopped = true;
    clearInterval(timer);
  };
}
