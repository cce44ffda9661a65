import { useMemo } from 'react';
import type { License, Machine } from '../api/types.js';
import { ConfirmationButton } from '../shared/confirmation.js';
import { type Column, DataTable } from '../shared/data-table.js';
import { Ago, Day, Time } from '../shared/time.js';
import { texts } from '../texts.js';
import { canBeRevoked } from './license-actions.js';
import { nameOf } from './license-name.js';
import { machines as names } from './license-texts.js';
import { releaseMachine } from './license-writes.js';
import { MachineHash, shortHash } from './machine-hash.js';

interface Props {
  readonly license: License;
  readonly machines: readonly Row[];
}

/** The machines that hold a seat on a license. Each can be released. */
export function MachineTable({ license, machines }: Props) {
  const columns = useMemo(() => columnsOf(license), [license]);
  return <DataTable caption={names.title} columns={columns} rows={machines} />;
}

type Row = Machine & { readonly _id: string };

const columnsOf = (license: License): readonly Column<Row>[] => [
  { name: names.machine, cell: (machine) => <Name machine={machine} />, card: 'head' },
  {
    name: names.since,
    cell: ({ activatedAt }) => <Time at={activatedAt} withTime={false} />,
    isShort: true,
  },
  license.leaseSeconds === null ? LAST_SEEN : LEASE,
  ...(canBeRevoked(license) ? [releaseOf(license)] : []),
];

const releaseOf = (license: License): Column<Row> => ({
  name: texts.overview.action,
  cell: (machine) => <ReleaseMachine license={license} machine={machine} />,
  operation: 'releaseMachineOfLicense',
  isShort: true,
});

const LAST_SEEN: Column<Row> = {
  name: names.lastSeen,
  cell: ({ lastSeenAt }) => <Day at={lastSeenAt} />,
  isShort: true,
};

/** Shown instead of the last-seen day, which follows from it. */
const LEASE: Column<Row> = {
  name: names.leaseEnds,
  cell: ({ leaseEndsAt }) => (leaseEndsAt === null ? texts.none : <Ago at={leaseEndsAt} />),
  isShort: true,
};

const Name = ({ machine: { name, machineId } }: { readonly machine: Machine }) => (
  <>
    {name !== null && `${name} `}
    <MachineHash hash={machineId} />
  </>
);

interface ReleaseProps {
  readonly license: License;
  readonly machine: Machine;
}

function ReleaseMachine({ license, machine: { machineId, name } }: ReleaseProps) {
  const machine = name ?? shortHash(machineId);
  return (
    <ConfirmationButton
      operation="releaseMachineOfLicense"
      label={names.release}
      name={names.releaseOf(machine)}
      title={names.releaseTitle(machine, nameOf(license))}
      details={names.releaseConsequence}
      run={() => releaseMachine(license._id, machineId)}
      done={names.released(machine)}
    />
  );
}
