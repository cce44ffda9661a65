import type { Logger } from 'pino';
import { requestContext } from '../request-context.js';

/** Every security event, with the level of its line; docs/operate/monitoring.md says when each is logged. */
const LEVELS = {
  registration: 'info',
  login: 'info',
  login_failed: 'warn',
  api_key_rejected: 'warn',
  lockout: 'warn',
  logout: 'info',
  session_ended: 'info',
  api_key_created: 'info',
  api_key_deleted: 'info',
  member_invited: 'info',
  member_joined: 'info',
  member_changed: 'info',
  member_removed: 'info',
  refresh_token_replayed: 'warn',
  password_changed: 'info',
  wrong_password: 'warn',
  account_command: 'info',
  signing_keys_rotated: 'info',
  signing_keys_exported: 'warn',
  signing_keys_imported: 'warn',
  secret_rotated: 'info',
} as const;

export type SecurityEvent = keyof typeof LEVELS;

/** The details of an event: ids and fixed words, never text of a caller. */
export interface SecurityDetails {
  /** The account's id; its e-mail address is personal data. */
  readonly account?: string | undefined;
  /** The id of the member, or of the API key, that did it or that it happened to. */
  readonly user?: string;
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
