import type { LicenseStatus } from '../api/types.js';
import { texts } from '../texts.js';

export function StatusBadge({ status }: { readonly status: LicenseStatus }) {
  return (
    <span className={`status status-${status.toLowerCase()}`}>{texts.licenses.status[status]}</span>
  );
}
