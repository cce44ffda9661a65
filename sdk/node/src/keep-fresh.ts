import { CONTACT_FAILURES, type Status } from './status.js';

/** Milliseconds between checks of the clock, because a timer alone does not count while a laptop sleeps. */
const TICK_MS = 60_000;
/** Seconds between two requests. */
const MAX_INTERVAL = 86_400;
const MIN_INTERVAL = 60;
/** The first and the longest pause after failed requests; it doubles each time. */
const FIRST_RETRY = 60;
const MAX_RETRY = 3600;

/** The last request. */
export interface Contact {
  /** Seconds since 1970. */
  readonly at: number;
  /** The number of failed requests since the last success. */
  readonly failures: number;
}

/**
 * When the next request is due: after a third of the certificate's remaining time, but at least daily.
 *
 * @param validUntil when the current certificate expires
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
  /** Refreshes the license or extends its lease. The reason says whether the request failed. */
  readonly refresh: () => Promise<Status>;
}

/**
 * Sends a request immediately, and then whenever one is due. Returns a function that stops it.
 *
 * @param onChange exceptions it throws become process warnings; the license is still refreshed
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
    // Setting the clock back does not delay a request.
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
