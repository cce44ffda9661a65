import { SessionEnded } from '../api/api-error.js';
import { deleteSession, postSession, refreshSession, type Tokens } from './session-requests.js';
import { SessionTabs } from './session-tabs.js';

/** Milliseconds before its end from which on an access token is replaced. */
const MARGIN = 30_000;

interface AccessToken {
  readonly value: string;
  readonly account: string;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}

/** The session of this browser. Its access token is in memory alone, its refresh token in a cookie that no script reads. */
export class Session {
  /** Called when the session has ended, or another account has logged in. */
  onChange: () => void = () => undefined;

  /** Called when somebody has logged out, in any tab. */
  onLogOut: () => void = () => undefined;

  /** Whether somebody has logged out in this tab, and nobody has logged in since. */
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

  /** The id of the account that is logged in; null if nobody is, or before the first token. */
  get account(): string | null {
    return this.token?.account ?? null;
  }

  /** Whether somebody is logged in. */
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
   * An access token, which is refreshed if it is about to end.
   *
   * @param rejected a token that the service has rejected, and that is refreshed in any case
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

  async logIn(credentials: { email: string; password: string }): Promise<void> {
    const tokens = await this.tabs.alone(() => postSession(credentials));
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

  /** Refreshes, unless another tab has done so while this one waited for it. */
  private refresh(rejected?: string): Promise<void> {
    return this.tabs.alone(async () => {
      if (this.usable(rejected)) return;
      const tokens = await refreshSession();
      if (tokens) {
        this.adopt(tokens);
        this.tabs.shareTokens(tokens);
      } else {
        // The first page of a visitor leads to the log-in by itself.
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

/** The account of an access token: the claim `sub` of the JWT. */
function accountOf(accessToken: string): string {
  const payload = String(accessToken.split('.')[1]).replaceAll('-', '+').replaceAll('_', '/');
  return (JSON.parse(atob(payload)) as { sub: string }).sub;
}

export const session = new Session(new SessionTabs());
