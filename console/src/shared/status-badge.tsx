import type { LicenseStatus } from '../api/types.js';
import { texts } from '../texts.js';
import { Badge } from './badge.js';

export const StatusBadge = ({ status }: { readonly status: LicenseStatus }) => (
  <Badge look={status.toLowerCase() as Lowercase<LicenseStatus>}>
    {texts.licenses.status[status]}
  </Badge>
);
