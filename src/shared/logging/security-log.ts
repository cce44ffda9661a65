import type { Logger } from 'pino';
import { requestContext } from '../request-context.js';

/** Every security event, with the level of its line. */
const LEVELS = {
  registration: 'info',
  login: 'info',
  login_failed: 'warn',
  /** An unknown, expired or malformed API key. */
  api_key_rejected: 'warn',
  /** The failed logins of an address or an account have reached their limit; logged once a window. */
  lockout: 'warn',
  logout: 'info',
  /** A session was ended by its member from another one. */
  session_ended: 'info',
  api_key_created: 'info',
  api_key_deleted: 'info',
  member_invited: 'info',
  member_joined: 'info',
  member_changed: 'info',
  member_removed: 'info',
  /** A refresh token was used twice: its session has been ended. */
  refresh_token_replayed: 'warn',
  password_changed: 'info',
  /** The current password was wrong when changing it, or rotating the signing keys. */
  wrong_password: 'warn',
  /** `npm run user` has changed an account. */
  account_command: 'info',
  signing_keys_rotated: 'info',
  /** `npm run signing-keys` has written an account's keys to a file, or read them from one. */
  signing_keys_exported: 'warn',
  signing_keys_imported: 'warn',
  /** LICENSE_SECRET was replaced: the data keys are now wrapped with the new one. */
  secret_rotated: 'info',
} as const;

export type SecurityEvent = keyof typeof LEVELS;

/** The details of an event: ids and fixed words, never text of a caller. */
export interface SecurityDetails {
  /** The account's id; its e-mail address is personal data. */
  readonly account?: string | undefined;
  /** The id of the member, or of the API key, that did it or that it happened to. */
  readonly user?: string;
  /** The session's id. */
  readonly session?: string;
  /** Of a lockout: whose limit was reached. */
  readonly limit?: 'address' | 'account';
  /** Of a rotation: whether the former key is no longer published. */
  readonly compromised?: boolean;
  /** Of an account command: its name. */
  readonly action?: string;
}

/** The account of a login with an unknown e-mail address. */
export const UNKNOWN_ACCOUNT = 'unknown';

/** Logs security events: one line each, with the address and the id of the request that caused it. */
export class SecurityLog {
  constructor(private readonly logger: Logger) {}

  record(event: SecurityEvent, details: SecurityDetails = {}): void {
    const { requestId: reqId, address: ip } = requestContext.getStore() ?? {};
    this.logger[LEVELS[event]]({ reqId, event, ...details, ip }, 'security');
  }
}
