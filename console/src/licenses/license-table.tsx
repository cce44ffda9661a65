import type { License } from '../api/types.js';
import { useMay } from '../api/use-may.js';
import { type Column, DataTable, type Selection, type Sorting } from '../shared/data-table.js';
import { Time } from '../shared/time.js';
import { texts } from '../texts.js';
import { BulkActions } from './bulk-actions.js';
import { COLUMNS } from './license-columns.js';
import { LicenseMenu } from './license-menu.js';
import { nameOf } from './license-name.js';
import { machines, terms } from './license-texts.js';

const { licenses: names, projects } = texts;

const { license, client, project, status, expires } = COLUMNS;

const MORE: readonly Column<License>[] = [
  {
    name: machines.title,
    cell: ({ machinesCount, maxMachines }) => `${machinesCount} of ${maxMachines}`,
    width: 5.5,
  },
  { name: projects.product, cell: ({ product }) => product ?? texts.none, isOptional: true },
  { name: names.services, cell: ({ services }) => services.join(', '), isOptional: true },
  {
    name: terms.entitlements,
    cell: ({ entitlements }) => entitlements.join(', ') || texts.none,
    isOptional: true,
  },
  {
    name: terms.externalId,
    cell: ({ externalId }) => externalId ?? texts.none,
    isOptional: true,
  },
  {
    name: names.issued,
    cell: ({ createdAt }) => <Time at={createdAt} withTime={false} />,
    sort: 'createdAt',
    width: 6.75,
  },
];

/** One column takes the rest of the width. */
const OF_PROJECT: readonly Column<License>[] = [
  { ...license, width: undefined },
  ...[status, expires],
  ...MORE,
];
const OF_ALL: readonly Column<License>[] = [license, client, project, status, expires, ...MORE];

interface Props {
  readonly caption: string;
  readonly licenses: readonly License[];
  /** The licenses of one project, or of all. */
  readonly of: 'project' | 'all';
  readonly sorting?: Sorting;
}

export function LicenseTable({ caption, licenses, of, sorting }: Props) {
  const may = useMay();
  return (
    <DataTable
      caption={caption}
      columns={of === 'project' ? OF_PROJECT : OF_ALL}
      rows={licenses}
      menu={menuOf}
      {...(may('renewLicense') && { selection: SELECTION })}
      {...(sorting && { sorting })}
    />
  );
}

const menuOf = (license: License) => <LicenseMenu license={license} />;

const SELECTION: Selection<License> = {
  nameOf,
  actions: (rows, clear) => (
    <BulkActions key={rows.map(({ _id }) => _id).join()} licenses={rows} onDone={clear} />
  ),
};
