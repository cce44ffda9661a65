import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { License } from '../api/types.js';
import { type Column, ROW_LINK } from '../shared/data-table.js';
import { StatusBadge } from '../shared/status-badge.js';
import { Time } from '../shared/time.js';
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
    cell: expiryOf,
    sort: 'expiresAt',
    isShort: true,
  },
} as const satisfies Record<string, Column<License>>;

/** The term a license was issued with. Its expiry date may have changed since. */
export function termOf(license: License): string {
  if (license.perpetual) return texts.perpetual;
  return license.endIsFixed ? names.fixed : texts.term(license);
}

/** When a license expires; a dash if its term has not started. */
export function expiryOf({ perpetual, startsOnActivation, expiresAt }: License): ReactNode {
  if (perpetual) return texts.perpetual;
  if (startsOnActivation || expiresAt === null) return texts.none;
  return <Time at={expiresAt} withTime={false} />;
}
