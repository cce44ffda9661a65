import { useQuery } from '@tanstack/react-query';
import type { License, Machine } from '../api/types.js';
import { ConfirmationButton } from '../shared/confirmation.js';
import { type Column, DataTable } from '../shared/data-table.js';
import { Loaded } from '../shared/loaded.js';
import { Time } from '../shared/time.js';
import { Muted } from '../shared/ui/muted.js';
import { Panel } from '../shared/ui/panel.js';
import { texts } from '../texts.js';
import { nameOf } from './license-name.js';
import { machinesQuery } from './license-queries.js';
import { machines as names } from './license-texts.js';
import { releaseMachine } from './license-writes.js';
import { MachineHash } from './machine-hash.js';

/** The machines that use a license, each of which can be released. */
export function LicenseMachines({ license }: { readonly license: License }) {
  const machines = useQuery(machinesQuery(license._id));
  const columns: readonly Column<Row>[] = [
    { name: names.machine, cell: (machine) => <Machine machine={machine} /> },
    {
      name: names.since,
      cell: ({ activatedAt }) => <Time at={activatedAt} withTime={false} />,
      width: 6.75,
    },
    {
      name: names.lastSeen,
      cell: ({ lastSeenAt }) => <Time at={lastSeenAt} withTime={false} />,
      width: 6.75,
    },
    ...(license.leaseSeconds === null ? [] : [LEASE]),
    {
      name: texts.overview.action,
      cell: (machine) => <ReleaseMachine license={license} machine={machine} />,
      operation: 'releaseMachineOfLicense',
      width: 6,
    },
  ];
  return (
    <Panel label={names.title}>
      <h2>{names.title}</h2>
      <Muted>{names.used(license)}</Muted>
      <Loaded query={machines}>
        {({ data }) =>
          data.length > 0 ? (
            <DataTable
              caption={names.title}
              columns={columns}
              rows={data.map((machine) => ({ ...machine, _id: machine.machineId }))}
            />
          ) : (
            license.status === 'PENDING' && <p>{texts.licenses.noMachine}</p>
          )
        }
      </Loaded>
    </Panel>
  );
}

type Row = Machine & { readonly _id: string };

const LEASE: Column<Row> = {
  name: names.leaseEnds,
  cell: ({ leaseEndsAt }) => (leaseEndsAt === null ? texts.none : <Time at={leaseEndsAt} />),
  width: 10.25,
};

const Machine = ({ machine: { name, machineId } }: { readonly machine: Machine }) => (
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
  const machine = name ?? machineId.slice(0, 12);
  return (
    <ConfirmationButton
      operation="releaseMachineOfLicense"
      label={names.release}
      name={names.releaseOf(machine)}
      title={names.releaseTitle(machine, nameOf(license))}
      details={names.releaseConsequence}
      run={() => releaseMachine(license._id, machineId)}
      done={names.released}
    />
  );
}
