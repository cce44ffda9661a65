import type { Logger } from 'pino';
import { requestContext } from '../request-context.js';

/** Every security event with its log level. docs/operate/monitoring.md says when each is logged. */
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
  wrong_factor: 'warn',
  codes_locked: 'warn',
  factor_added: 'info',
  factor_removed: 'info',
  recovery_codes_created: 'info',
  policy_changed: 'info',
  account_command: 'info',
  signing_keys_rotated: 'info',
  signing_keys_exported: 'warn',
  signing_keys_imported: 'warn',
  licenses_exported: 'warn',
  secret_rotated: 'info',
} as const;

export type SecurityEvent = keyof typeof LEVELS;

/** The details of an event: ids and fixed words, never caller-supplied text. */
export interface SecurityDetails {
  /** The account id, because the email address is personal data. */
  readonly account?: string | undefined;
  /** The id of the member or API key that caused or was affected by the event. */
  readonly user?: string;
  readonly session?: string;
  /** For a lockout: whose limit was reached. */
  readonly limit?: 'address' | 'account';
  /** For a rotation: whether the previous key is no longer published. */
  readonly compromised?: boolean;
  /** For an export: the number of licenses. */
  readonly count?: number;
  /** For an account command: its name. */
  readonly action?: string;
}

/** Stands for the account when an unknown email address logs in. */
export const UNKNOWN_ACCOUNT = 'unknown';

/** Logs security events, one line each, with the address and id of the request that caused them. */
export class SecurityLog {
  constructor(private readonly logger: Logger) {}

  record(event: SecurityEvent, details: SecurityDetails = {}): void {
    const { requestId: reqId, address: ip } = requestContext.getStore() ?? {};
    this.logger[LEVELS[event]]({ reqId, event, ...details, ip }, 'security');
  }
}
