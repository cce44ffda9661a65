import { setTimeout } from 'node:timers/promises';
import type { ClientSession } from 'mongoose';
import { isOutage } from './driver-errors.js';

/** Longest that ending a failed transaction on the server is tried, in milliseconds: then the server ends it itself. */
const KILL_FOR = 60_000;
/** Timeout of one attempt, and pause before the next, in milliseconds. */
const KILL_TIMEOUT = 1_000;
const KILL_PAUSE = 50;

type SessionId = ClientSession['id'];

/** Ends failed transactions on the server. Where the driver failed to abort one, it would keep its locks for a minute. */
export class FailedTransactions {
  /** Sessions whose transactions have not been ended, with the time until which it is tried. */
  private readonly sessions = new Map<ClientSession, number>();

  constructor(
    private readonly killSessions: (ids: SessionId[], signal: AbortSignal) => Promise<unknown>,
  ) {}

  /** Tries once. While the server does not respond, this is retried in the background, for all sessions together. */
  async end(session: ClientSession): Promise<void> {
    const end = performance.now() + KILL_FOR;
    if (await this.kill([session])) return release(session);
    this.sessions.set(session, end);
    if (this.sessions.size === 1) void this.retry();
  }

  private async retry(): Promise<void> {
    while (this.sessions.size > 0) {
      await setTimeout(KILL_PAUSE, undefined, { ref: false });
      const tried = [...this.sessions];
      const isKilled = await this.kill(tried.map(([session]) => session));
      for (const [session, end] of tried) {
        if (!isKilled && performance.now() < end) continue;
        this.sessions.delete(session);
        release(session);
      }
    }
  }

  /** @returns false while the server hangs: a statement in its socket would begin the transaction when it continues */
  private async kill(sessions: readonly ClientSession[]): Promise<boolean> {
    const timeout = AbortSignal.timeout(KILL_TIMEOUT);
    try {
      const ids = sessions.map(({ id }) => id);
      await this.killSessions(ids, timeout);
      return true;
    } catch (error) {
      return !isOutage(error) && !timeout.aborted;
    }
  }
}

/** Lets the driver use a session again. A killed one must not be in use: its statements would be interrupted. */
export function release(session: ClientSession): void {
  // Not awaited: it may wait for a server that hangs.
  void session.endSession().catch(() => undefined);
}
