import type { License } from '../api/types.js';
import { useMay } from '../api/use-may.js';
import { type Column, DataTable, type Selection, type Sorting } from '../shared/data-table.js';
import { OFFERED_SERVICES } from '../shared/offered-services.js';
import { Time } from '../shared/time.js';
import { texts } from '../texts.js';
import { BulkActions } from './bulk-actions.js';
import { COLUMNS } from './license-columns.js';
import { LicenseMenu } from './license-menu.js';
import { nameOf } from './license-name.js';
import { seats, terms } from './license-texts.js';

const { licenses: names, projects } = texts;

const { license, client, project, status, expires } = COLUMNS;

const SERVICES: Column<License> = {
  name: names.services,
  cell: ({ services }) => services.join(', ') || texts.none,
  isOptional: true,
};

const MORE: readonly Column<License>[] = [
  { name: projects.product, cell: ({ product }) => product ?? texts.none, isOptional: true },
  ...(OFFERED_SERVICES.length > 0 ? [SERVICES] : []),
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

/** From this many seats on, the column is wider. */
const MANY = 1_000;

const seatsOfWidth = (width: number | string): Column<License> => ({
  name: seats.title,
  cell: seats.ofAll,
  width,
});

const withSeats = (first: readonly Column<License>[]) => ({
  few: [...first, seatsOfWidth(5.5), ...MORE],
  many: [...first, seatsOfWidth('min(8.75rem, 11vw)'), ...MORE],
});

const ALL = {
  // One column takes the remaining width.
  project: withSeats([{ ...license, width: undefined }, status, expires]),
  all: withSeats([license, client, project, status, expires]),
};

interface Props {
  readonly caption: string;
  readonly licenses: readonly License[];
  /** The licenses of one project, or of all. */
  readonly of: 'project' | 'all';
  readonly sorting?: Sorting;
}

export function LicenseTable({ caption, licenses, of, sorting }: Props) {
  const may = useMay();
  const size = licenses.some(({ maxMachines }) => maxMachines >= MANY) ? 'many' : 'few';
  return (
    <DataTable
      caption={caption}
      columns={ALL[of][size]}
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
