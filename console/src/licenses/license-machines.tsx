import { useQuery } from '@tanstack/react-query';
import type { License, Machine } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { type Column, DataTable } from '../shared/data-table.js';
import { DialogButton } from '../shared/dialog-button.js';
import { Form } from '../shared/form.js';
import { Loaded } from '../shared/loaded.js';
import { notify } from '../shared/notices.js';
import { Time } from '../shared/time.js';
import { texts } from '../texts.js';
import { machinesQuery } from './license-queries.js';
import { machines as names } from './license-texts.js';
import { releaseMachine } from './license-writes.js';
import { MachineHash } from './machine-hash.js';

/** The machines that use a license, each of which can be released. */
export function LicenseMachines({ license }: { readonly license: License }) {
  const machines = useQuery(machinesQuery(license._id));
  const columns: readonly Column<Row>[] = [
    { name: names.machine, cell: (machine) => <Machine machine={machine} /> },
    { name: names.since, cell: ({ activatedAt }) => <Time at={activatedAt} /> },
    { name: names.lastSeen, cell: ({ lastSeenAt }) => <Time at={lastSeenAt} withTime={false} /> },
    {
      name: names.leaseEnds,
      cell: ({ leaseEndsAt }) => (leaseEndsAt === null ? texts.none : <Time at={leaseEndsAt} />),
    },
    {
      name: texts.overview.action,
      cell: ({ machineId }) => <ReleaseMachine license={license} machineId={machineId} />,
      operation: 'releaseMachineOfLicense',
    },
  ];
  return (
    <section className="panel" aria-label={names.title}>
      <h2>{names.title}</h2>
      <p>{names.used(license)}</p>
      <Loaded query={machines}>
        {({ data }) =>
          data.length > 0 && (
            <DataTable
              caption={names.title}
              columns={columns}
              rows={data.map((machine) => ({ ...machine, _id: machine.machineId }))}
            />
          )
        }
      </Loaded>
    </section>
  );
}

type Row = Machine & { readonly _id: string };

const Machine = ({ machine: { name, machineId } }: { readonly machine: Machine }) => (
  <>
    {name !== null && `${name} `}
    <MachineHash hash={machineId} />
  </>
);

interface ReleaseProps {
  readonly license: License;
  readonly machineId: string;
}

function ReleaseMachine(props: ReleaseProps) {
  return (
    <DialogButton
      operation="releaseMachineOfLicense"
      label={names.release}
      title={names.releaseTitle}
      className="danger-quiet"
    >
      {(close) => <ReleaseForm {...props} onClose={close} />}
    </DialogButton>
  );
}

function ReleaseForm({
  license,
  machineId,
  onClose,
}: ReleaseProps & { readonly onClose: () => void }) {
  const write = useWrite(
    () => releaseMachine(license._id, machineId),
    () => {
      onClose();
      notify(names.released);
    },
  );
  return (
    <Form
      write={write}
      submit={names.release}
      onCancel={onClose}
      isDangerous
      onSubmit={() => write.submit(undefined)}
    >
      <p>{names.releaseConsequence}</p>
    </Form>
  );
}
