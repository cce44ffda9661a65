import type { LicenseEventType, LicenseStatus } from '../api/types.js';

export const status: Record<LicenseStatus, string> = {
  PENDING: 'Pending',
  ACTIVE: 'Active',
  EXPIRED: 'Expired',
  SUSPENDED: 'Suspended',
  REVOKED: 'Revoked',
};

export const events: Record<LicenseEventType, string> = {
  created: 'Created',
  activated: 'Activated',
  certificate_issued: 'Certificate issued',
  activation_rejected: 'Activation rejected',
  machine_released: 'Machine released',
  updated: 'Changed',
  renewed: 'Renewed',
  suspended: 'Suspended',
  resumed: 'Resumed',
  revoked: 'Revoked',
  reissued: 'Reissued',
  expired: 'Expired',
};

/** Of rejected activations. */
export const rejections: Record<string, string> = {
  revoked: 'The license is revoked',
  suspended: 'The license is suspended',
  expired: 'The license has expired',
  other_machine: 'It came from another machine',
  machine_limit: 'All its places were taken',
  trial_used: 'The machine had used another license of the plan',
};
