import { NoResponse } from '../api/api-error.js';
import type { Tokens } from './session-requests.js';

const NAME = 'console-session';

/** Where a tab notes when it began to change the cookie. It contains a time alone. */
const BEGUN = 'console-session-begun';

/** Milliseconds after which a request for the session has had its response, or never will. */
const OVER = 3000;

/** Timeout in milliseconds for the message of a tab that has changed the session. */
const DELIVERY = 1000;

/** What the tabs of a browser tell each other: that one has logged in or refreshed, or why the session is over. */
type Message = Tokens | 'ended' | 'logged out';

/** The tabs of this browser, which share the cookie of the session, and so have to change it one at a time. */
export class SessionTabs {
  /** Called when another tab has logged in or refreshed. */
  onTokens: (tokens: Tokens) => void = () => undefined;
  /** Called when another tab has logged out, or found the session ended. */
  onEnd: (isLogOut: boolean) => void = () => undefined;

  private readonly channel = new BroadcastChannel(NAME);

  constructor() {
    this.channel.onmessage = ({ data }: MessageEvent<Message>) =>
      typeof data === 'string' ? this.onEnd(data === 'logged out') : this.onTokens(data);
  }

  shareTokens({ accessToken, expiresIn }: Tokens): void {
    this.channel.postMessage({ accessToken, expiresIn } satisfies Message);
  }

  shareEnd(reason: 'ended' | 'logged out'): void {
    this.channel.postMessage(reason satisfies Message);
  }

  /** Runs a task while no other tab runs one. */
  async alone<Result>(task: () => Promise<Result>): Promise<Result> {
    const run = async () => {
      await untilEarlierRequestIsOver();
      localStorage.setItem(BEGUN, String(Date.now()));
      let isOver = true;
      try {
        return await task();
      } catch (error) {
        // The request of a page that is left fails in the page, and goes on.
        isOver = !(error instanceof NoResponse);
        throw error;
      } finally {
        if (isOver) localStorage.removeItem(BEGUN);
      }
    };
    // Browsers have locks on pages that came by HTTPS, or from this machine.
    if (!('locks' in navigator)) return run();
    const { locks } = navigator;
    const hearing = new AbortController();
    // The message of the tab that has the lock may arrive before the lock, or after it.
    const message = new Promise((resolve) =>
      this.channel.addEventListener('message', resolve, { signal: hearing.signal }),
    );
    try {
      const done = await locks.request(NAME, { ifAvailable: true }, async (lock) =>
        lock ? { result: await run() } : null,
      );
      if (done) return done.result;
      return await locks.request(NAME, async () => {
        // There is none if that tab has failed.
        await Promise.race([message, pause(DELIVERY)]);
        return run();
      });
    } finally {
      hearing.abort();
    }
  }
}

/**
 * A page that is reloaded in the midst of a refresh leaves a request behind, which spends the refresh token. To send the
 * same token again would end the session.
 */
async function untilEarlierRequestIsOver(): Promise<void> {
  const begun = Number(localStorage.getItem(BEGUN) ?? 0);
  const rest = Math.min(OVER, begun + OVER - Date.now());
  if (rest > 0) await pause(rest);
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
