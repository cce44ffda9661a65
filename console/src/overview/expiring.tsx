import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { License } from '../api/types.js';
import { ClientName } from '../clients/client-name.js';
import { dayOf } from '../licenses/license-filter.js';
import { Expiry } from '../licenses/license-table.js';
import { RenewLicense } from '../licenses/renew-license.js';
import { ProjectName } from '../projects/project-name.js';
import { type Column, DataTable } from '../shared/data-table.js';
import { Loaded } from '../shared/loaded.js';
import { texts } from '../texts.js';
import { expiringQuery } from './overview-queries.js';

const COLUMNS: readonly Column<License>[] = [
  {
    name: texts.licenses.license,
    cell: ({ _id, project }) => (
      <Link to="/licenses/$id" params={{ id: _id }}>
        <ProjectName id={project} />
      </Link>
    ),
  },
  { name: texts.clients.client, cell: ({ client }) => <ClientName id={client} /> },
  { name: texts.licenses.expires, cell: (license) => <Expiry license={license} /> },
  {
    name: texts.overview.action,
    cell: (license) => <RenewLicense license={license} />,
    operation: 'renewLicense',
  },
];

interface Props {
  readonly within7: number;
  readonly within30: number;
}

/** The licenses that expire soon, each with a button to renew it. */
export function Expiring({ within7, within30 }: Props) {
  const expiring = useQuery(expiringQuery);
  const { expiring: title, within, noneExpires, moreExpire } = texts.overview;
  const nextMonth = dayOf(new Date(Date.now() + 31 * 86_400_000));
  return (
    <section className="panel" aria-label={title}>
      <h2>{title}</h2>
      <dl className="facts">
        <dt>{within(7)}</dt>
        <dd>{within7}</dd>
        <dt>{within(30)}</dt>
        <dd>{within30}</dd>
      </dl>
      <Loaded query={expiring}>
        {(licenses) =>
          licenses.length > 0 ? (
            <DataTable caption={title} columns={COLUMNS} rows={licenses} />
          ) : (
            <p className="muted">{noneExpires}</p>
          )
        }
      </Loaded>
      {within30 > (expiring.data?.length ?? within30) && (
        <p>
          <Link
            to="/licenses"
            search={{ status: 'ACTIVE', expiresBefore: nextMonth, sort: 'expiresAt' }}
          >
            {moreExpire}
          </Link>
        </p>
      )}
    </section>
  );
}
