import { Link } from '@tanstack/react-router';
import type { License } from '../api/types.js';
import { ClientName } from '../clients/client-name.js';
import { ProjectName } from '../projects/project-name.js';
import { type Column, DataTable } from '../shared/data-table.js';
import { StatusBadge } from '../shared/status-badge.js';
import { Time } from '../shared/time.js';
import { texts } from '../texts.js';

const { licenses: names, projects } = texts;

const status: Column<License> = {
  name: names.statusLabel,
  cell: (license) => <StatusBadge status={license.status} />,
};
const expires: Column<License> = {
  name: names.expires,
  cell: (license) => <Expiry license={license} />,
};
const services: Column<License> = {
  name: names.services,
  cell: (license) => license.services.join(', '),
};
const issued: Column<License> = {
  name: names.issued,
  cell: ({ createdAt }) => <Time at={createdAt} withTime={false} />,
};

const OF_PROJECT: readonly Column<License>[] = [
  {
    name: names.license,
    cell: ({ _id }) => (
      <Link to="/licenses/$id" params={{ id: _id }}>
        <code>{_id}</code>
      </Link>
    ),
  },
  status,
  services,
  expires,
  issued,
];

const OF_ALL: readonly Column<License>[] = [
  {
    name: names.license,
    cell: ({ _id, project }) => (
      <Link to="/licenses/$id" params={{ id: _id }}>
        <ProjectName id={project} />
      </Link>
    ),
  },
  { name: texts.clients.client, cell: ({ client }) => <ClientName id={client} /> },
  { name: projects.product, cell: ({ product }) => product ?? texts.none },
  status,
  expires,
  issued,
];

interface Props {
  readonly caption: string;
  readonly licenses: readonly License[];
  /** The licenses of one project, or of all. */
  readonly of: 'project' | 'all';
}

export function LicenseTable({ caption, licenses, of }: Props) {
  const columns = of === 'project' ? OF_PROJECT : OF_ALL;
  return <DataTable caption={caption} columns={columns} rows={licenses} />;
}

/** When a license expires. One that was never activated does not. */
export function Expiry({
  license: { status: state, activatedAt, expiresAt },
}: {
  license: License;
}) {
  if (activatedAt !== null) {
    return expiresAt === null ? texts.noEnd : <Time at={expiresAt} withTime={false} />;
  }
  return <span className="muted">{state === 'PENDING' ? names.notStarted : texts.none}</span>;
}
