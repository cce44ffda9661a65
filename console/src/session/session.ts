import { SessionEnded } from '../api/api-error.js';
import {
  type Credentials,
  deleteSession,
  postSession,
  refreshSession,
  type Tokens,
} from './session-requests.js';
import { SessionTabs } from './session-tabs.js';

/** An access token is replaced this many milliseconds before it expires. */
const MARGIN = 30_000;

interface AccessToken {
  readonly value: string;
  readonly account: string;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}

/**
 * The session of this browser. The access token stays in memory. The refresh token is in a cookie that
 * scripts can't read.
 */
export class Session {
  /** Called when the session ends or another account signs in. */
  onChange: () => void = () => undefined;

  /** Called when the user signs out, in any tab. */
  onLogOut: () => void = () => undefined;

  /** Whether the user signed out in this tab and nobody has signed in since. */
  isLoggedOut = false;

  private token: AccessToken | null = null;
  private hasEnded = false;
  private refreshing: Promise<void> | null = null;

  constructor(private readonly tabs: SessionTabs) {
    tabs.onTokens = (tokens) => this.adopt(tokens);
    tabs.onEnd = (isLogOut) => {
      this.end();
      if (isLogOut) this.onLogOut();
    };
  }

  /** The id of the signed-in account; null if there is none, or before the first token. */
  get account(): string | null {
    return this.token?.account ?? null;
  }

  /** Whether a user is signed in. */
  async isActive(): Promise<boolean> {
    try {
      await this.accessToken();
      return true;
    } catch (error) {
      if (error instanceof SessionEnded) return false;
      throw error;
    }
  }

  /**
   * An access token, refreshed if it is about to expire.
   *
   * @param rejected a token that the service rejected; it is always refreshed
   * @throws SessionEnded, ApiError, NoResponse
   */
  async accessToken(rejected?: string): Promise<string> {
    if (!this.usable(rejected)) {
      this.refreshing ??= this.refresh(rejected).finally(() => (this.refreshing = null));
      await this.refreshing;
    }
    if (this.token === null) throw new SessionEnded();
    return this.token.value;
  }

  logIn(credentials: Credentials): Promise<void> {
    return this.start(() => postSession(credentials));
  }

  /** Signs in with a request that starts a session. */
  async start(request: () => Promise<Tokens>): Promise<void> {
    const tokens = await this.tabs.alone(request);
    this.adopt(tokens);
    this.tabs.shareTokens(tokens);
  }

  async logOut(): Promise<void> {
    await this.tabs.alone(deleteSession);
    this.isLoggedOut = true;
    this.end();
    this.onLogOut();
    this.tabs.shareEnd('logged out');
  }

  private usable(rejected?: string): AccessToken | null {
    if (this.hasEnded) throw new SessionEnded();
    const { token } = this;
    return token && token.value !== rejected && Date.now() < token.endsAt - MARGIN ? token : null;
  }

  /** Refreshes, unless another tab has done so while this one waited. */
  private refresh(rejected?: string): Promise<void> {
    return this.tabs.alone(async () => {
      if (this.usable(rejected)) return;
      const tokens = await refreshSession();
      if (tokens) {
        this.adopt(tokens);
        this.tabs.shareTokens(tokens);
      } else {
        // A visitor's first page redirects to the sign-in page anyway.
        if (this.token === null) this.hasEnded = true;
        else this.end();
        this.tabs.shareEnd('ended');
      }
    });
  }

  private adopt({ accessToken, expiresIn }: Tokens): void {
    const account = accountOf(accessToken);
    const isOther = this.token !== null && this.token.account !== account;
    const wasEnded = this.hasEnded;
    this.token = { value: accessToken, account, endsAt: Date.now() + expiresIn * 1000 };
    this.hasEnded = false;
    this.isLoggedOut = false;
    if (isOther || wasEnded) this.onChange();
  }

  private end(): void {
    if (this.hasEnded) return;
    this.token = null;
    this.hasEnded = true;
    this.onChange();
  }
}

/** The account in an access token: the `sub` claim of the JWT. */
function accountOf(accessToken: string): string {
  const payload = String(accessToken.split('.')[1]).replaceAll('-', '+').replaceAll('_', '/');
  return (JSON.parse(atob(payload)) as { sub: string }).sub;
}

export const session = new Session(new SessionTabs());
