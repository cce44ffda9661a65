import { Link } from '@tanstack/react-router';
import type { License } from '../api/types.js';
import { type Column, ROW_LINK } from '../shared/data-table.js';
import { StatusBadge } from '../shared/status-badge.js';
import { Time } from '../shared/time.js';
import { Muted } from '../shared/ui/muted.js';
import { texts } from '../texts.js';
import { hintOf, nameOf } from './license-name.js';

const { licenses: names, projects } = texts;

/** The columns of every list of licenses. */
export const COLUMNS = {
  license: {
    name: names.license,
    cell: (license) => (
      <Link
        to="/licenses/$id"
        params={{ id: license._id }}
        className={ROW_LINK}
        aria-label={nameOf(license)}
      >
        <code>{hintOf(license)}</code>
      </Link>
    ),
    isShort: true,
    card: 'head',
  },
  client: {
    name: texts.clients.client,
    cell: ({ clientName }) => clientName ?? texts.none,
    card: 'head',
  },
  project: {
    name: projects.project,
    cell: ({ projectName }) => projectName ?? texts.none,
    card: 'plain',
  },
  status: {
    name: names.statusLabel,
    cell: ({ status }) => <StatusBadge status={status} />,
    isShort: true,
    card: 'plain',
  },
  expires: {
    name: names.expires,
    cell: (license) => <Expiry license={license} />,
    sort: 'expiresAt',
    isShort: true,
  },
} as const satisfies Record<string, Column<License>>;

interface ExpiryProps {
  readonly license: License;
  /** Whether there is room to say when the term starts. */
  readonly isLong?: boolean;
}

/** The term a license was issued with. Its expiry date may have changed since. */
export function termOf(license: License): string {
  if (license.perpetual) return texts.perpetual;
  return license.endIsFixed ? names.fixed : texts.term(license);
}

/** When a license expires. Empty until the first activation if the term starts then. */
export function Expiry({ license, isLong }: ExpiryProps) {
  const { status: state, perpetual, startsOnActivation, expiresAt } = license;
  if (perpetual) return texts.perpetual;
  if (!startsOnActivation && expiresAt !== null) return <Time at={expiresAt} withTime={false} />;
  const pending = isLong ? names.startsLater : names.notStarted;
  return <Muted isInline>{state === 'PENDING' ? pending : texts.none}</Muted>;
}
