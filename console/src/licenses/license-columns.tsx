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
    width: 6,
  },
  client: {
    name: texts.clients.client,
    cell: ({ clientName }) => clientName ?? texts.none,
  },
  project: {
    name: projects.project,
    cell: ({ projectName }) => projectName ?? texts.none,
  },
  status: {
    name: names.statusLabel,
    cell: ({ status }) => <StatusBadge status={status} />,
    width: 7.5,
  },
  expires: {
    name: names.expires,
    cell: (license) => <Expiry license={license} />,
    sort: 'expiresAt',
    width: 6.75,
  },
} as const satisfies Record<string, Column<License>>;

/** When a license expires. One that was never activated does not. */
export function Expiry({
  license: { status: state, activatedAt, expiresAt },
}: {
  license: License;
}) {
  if (activatedAt !== null) {
    return expiresAt === null ? texts.noEnd : <Time at={expiresAt} withTime={false} />;
  }
  return <Muted isInline>{state === 'PENDING' ? names.notStarted : texts.none}</Muted>;
}
