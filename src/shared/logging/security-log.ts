import type { Logger } from 'pino';
import { requestContext } from '../request-context.js';

/** Every security event, with the level of its line. */
const LEVELS = {
  registration: 'info',
  login: 'info',
  login_failed: 'warn',
  /** Of the failed logins of an address or an account, as many as its limit allows: once a window. */
  lockout: 'warn',
  logout: 'info',
  /** A refresh token was used twice: its session has been ended. */
  refresh_token_replayed: 'warn',
  password_changed: 'info',
  /** At a change of the password, the current one was wrong. */
  wrong_password: 'warn',
  /** `npm run user` has changed an account. */
  account_command: 'info',
  /** LICENSE_SECRET was replaced: the data keys have been wrapped by the new one. */
  secret_rotated: 'info',
} as const;

export type SecurityEvent = keyof typeof LEVELS;

/** What the line of an event tells: ids and words of this program, and nothing that a caller has written. */
export interface SecurityDetails {
  /** The account's id; its e-mail address is personal data. */
  readonly account?: string | undefined;
  /** The session's id. */
  readonly session?: string;
  /** Of a lockout: what has failed too often. */
  readonly limit?: 'address' | 'account';
  /** Of an account command: its name. */
  readonly action?: string;
}

/** Stands for the account of a login with an e-mail address that has none. */
export const UNKNOWN_ACCOUNT = 'unknown';

/** Logs security events: one line each, with the address and the id of the request that caused it. */
export class SecurityLog {
  constructor(private readonly logger: Logger) {}

  record(event: SecurityEvent, details: SecurityDetails = {}): void {
    const { requestId: reqId, address: ip } = requestContext.getStore() ?? {};
    this.logger[LEVELS[event]]({ reqId, event, ...details, ip }, 'security');
  }
}
