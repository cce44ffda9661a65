import { useCallback } from 'react';
import type { License } from '../api/types.js';
import { useMay } from '../api/use-may.js';
import { useIsMailOn } from '../mail/use-mail.js';
import { PlanName } from '../plans/plan-name.js';
import { type Column, DataTable } from '../shared/data-table.js';
import { OFFERED_SERVICES } from '../shared/deployment.js';
import type { Sorting } from '../shared/header-cell.js';
import type { Everything, Selection } from '../shared/selection.js';
import { Time } from '../shared/time.js';
import { texts } from '../texts.js';
import { BulkActions } from './bulk-actions.js';
import { COLUMNS, termOf } from './license-columns.js';
import { LicenseMenu } from './license-menu.js';
import { nameOf } from './license-name.js';
import { seats, terms } from './license-texts.js';

const { licenses: names, projects } = texts;

const { license, client, project, status, expires } = COLUMNS;

const SERVICES: Column<License> = {
  name: names.services,
  cell: ({ services }) => services.join(', ') || texts.none,
  visibility: 'optional',
};

const MORE: readonly Column<License>[] = [
  {
    name: terms.plan,
    cell: ({ plan }) => (plan === null ? texts.none : <PlanName id={plan} />),
    visibility: 'wide',
  },
  { name: names.term, cell: termOf, isShort: true, visibility: 'wide' },
  status,
  expires,
  { name: seats.title, cell: seats.ofAll, isShort: true, card: 'none' },
  { name: projects.product, cell: ({ product }) => product ?? texts.none, visibility: 'optional' },
  ...(OFFERED_SERVICES.length > 0 ? [SERVICES] : []),
  {
    name: terms.entitlements,
    cell: ({ entitlements }) => entitlements.join(', ') || texts.none,
    visibility: 'optional',
  },
  {
    name: terms.externalId,
    cell: ({ externalId }) => externalId ?? texts.none,
    visibility: 'optional',
  },
  {
    name: names.issued,
    cell: ({ createdAt }) => <Time at={createdAt} withTime={false} />,
    sort: 'createdAt',
    isShort: true,
    visibility: 'wide',
  },
];

const ALL = {
  project: [license, ...MORE],
  all: [license, client, project, ...MORE],
};

interface Props {
  readonly caption: string;
  readonly licenses: readonly License[];
  /** The licenses of one project, or of all. */
  readonly of: keyof typeof ALL;
  readonly sorting?: Sorting;
  /** Set if licenses that are not loaded yet can be selected, too. */
  readonly everything?: Everything<License> | undefined;
}

export function LicenseTable({ caption, licenses, of, sorting, everything }: Props) {
  const may = useMay();
  // Asked for once, not by each row.
  const isMailOn = useIsMailOn();
  const menuOf = useCallback(
    (license: License) => <LicenseMenu license={license} isMailOn={isMailOn} />,
    [isMailOn],
  );
  return (
    <DataTable
      caption={caption}
      columns={ALL[of]}
      rows={licenses}
      menu={menuOf}
      {...(may('renewLicense') && { selection: { ...SELECTION, everything } })}
      {...(sorting && { sorting })}
    />
  );
}

const SELECTION: Selection<License> = {
  nameOf,
  actions: (rows, clear) => (
    <BulkActions key={rows.map(({ _id }) => _id).join()} licenses={rows} onDone={clear} />
  ),
};
