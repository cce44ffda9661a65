import { NoResponse } from '../api/api-error.js';
import { BASE_PATH } from '../shared/deployment.js';
import type { Tokens } from './session-requests.js';

/** Other services under other paths of this origin have their own sessions. */
const NAME = `console-session${BASE_PATH}`;

/** When a tab started to change the cookie. */
const STARTED = `${NAME}-begun`;

/** After this many milliseconds, a session request has a response or will never get one. */
const OVER = 3000;

/** Milliseconds to wait for the message from a tab that changed the session. */
const DELIVERY = 1000;

/** A message between tabs: new tokens, or why the session ended. */
type Message = Tokens | 'ended' | 'logged out';

/** The tabs of this browser. They share the session cookie, so they must change it one at a time. */
export class SessionTabs {
  /** Called when another tab has signed in or refreshed. */
  onTokens: (tokens: Tokens) => void = () => undefined;
  /** Called when another tab has signed out or found that the session has ended. */
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

  /** Runs a task while no other tab is running one. */
  async alone<Result>(task: () => Promise<Result>): Promise<Result> {
    const run = async () => {
      await untilEarlierRequestIsOver();
      localStorage.setItem(STARTED, String(Date.now()));
      let isOver = true;
      try {
        return await task();
      } catch (error) {
        // When the user leaves the page, its request fails here but continues on the network.
        isOver = !(error instanceof NoResponse);
        throw error;
      } finally {
        if (isOver) localStorage.removeItem(STARTED);
      }
    };
    // Browsers offer locks only over HTTPS or on localhost.
    if (!('locks' in navigator)) return run();
    const { locks } = navigator;
    const hearing = new AbortController();
    // The message from the tab that holds the lock may arrive before or after the lock.
    const message = new Promise((resolve) =>
      this.channel.addEventListener('message', resolve, { signal: hearing.signal }),
    );
    try {
      const done = await locks.request(NAME, { ifAvailable: true }, async (lock) =>
        lock ? { result: await run() } : null,
      );
      if (done) return done.result;
      return await locks.request(NAME, async () => {
        // There is no message if that tab failed.
        await Promise.race([message, pause(DELIVERY)]);
        return run();
      });
    } finally {
      hearing.abort();
    }
  }
}

/**
 * A page that reloads during a refresh abandons a request that uses up the refresh token. Sending the same
 * token again would end the session.
 */
async function untilEarlierRequestIsOver(): Promise<void> {
  const started = Number(localStorage.getItem(STARTED) ?? 0);
  const rest = Math.min(OVER, started + OVER - Date.now());
  if (rest > 0) await pause(rest);
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
