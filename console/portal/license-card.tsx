import type { ReactNode } from 'react';
import { Badge } from '../src/shared/badge.js';
import { CopyButton } from '../src/shared/copy-button.js';
import { formatDate } from '../src/shared/time-format.js';
import { Day, Time } from '../src/shared/time.js';
import { Muted } from '../src/shared/ui/muted.js';
import { Panel, PanelHead } from '../src/shared/ui/panel.js';
import { status } from '../src/licenses/status-texts.js';
import type { CustomerLicense, CustomerMachine } from './requests.js';
import { texts } from './texts.js';
import styles from './portal.module.css';

interface Props {
  readonly license: CustomerLicense;
  /** A notice about the last action on it. */
  readonly notice?: string;
  readonly onRelease: (machine: CustomerMachine) => void;
  /** Absent if the service mails no keys. */
  readonly onSendKey?: (() => void) | undefined;
}

export const nameOf = ({ name, machineId }: CustomerMachine): string =>
  name ?? texts.unnamed(machineId);

/** Whether a license can be used now; the others are listed last. */
export const isUsable = (license: CustomerLicense): boolean =>
  license.status === 'ACTIVE' || license.status === 'PENDING';

/** More machines than this are collapsed, so the next license stays in view. */
const MAX_UNFOLDED = 5;

/** A license with its machines. */
export function LicenseCard({ license, notice = '', onRelease, onSendKey }: Props) {
  const { project, key, machines, machinesCount, maxMachines } = license;
  const title = project ?? texts.license;
  return (
    <Panel label={title}>
      <PanelHead title={title}>
        <Badge look={license.status.toLowerCase() as Lowercase<CustomerLicense['status']>}>
          {license.status === 'PENDING' ? texts.notActivated : status[license.status]}
        </Badge>
        {!key.startsWith('•') && <CopyButton label={texts.copy} text={async () => key} />}
        {onSendKey && license.status !== 'REVOKED' && (
          <button type="button" onClick={onSendKey}>
            {texts.sendKey}
          </button>
        )}
      </PanelHead>
      <p role="status" className={styles.notice}>
        {notice}
      </p>
      <dl className={styles.facts}>
        <Fact name={texts.key}>
          <code>{key}</code>
        </Fact>
        {license.status !== 'REVOKED' && <Term license={license} />}
        {license.updatesUntil !== null && (
          <Fact name={texts.updates}>
            <Time at={license.updatesUntil} withTime={false} />
          </Fact>
        )}
        <Fact name={texts.machines}>{texts.inUse(machinesCount, maxMachines)}</Fact>
      </dl>
      {machines.length > 0 &&
        (isUsable(license) && machines.length <= MAX_UNFOLDED ? (
          <MachineList {...{ license, onRelease }} />
        ) : (
          <details>
            <summary>{texts.showMachines}</summary>
            <MachineList {...{ license, onRelease }} />
          </details>
        ))}
    </Panel>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Term({ license }: { readonly license: CustomerLicense }) {
  const { status: now, expiresAt, startsOnActivation } = license;
  if (startsOnActivation) return <Fact name={texts.term}>{texts.fromActivation}</Fact>;
  return (
    <Fact name={now === 'EXPIRED' ? texts.expired : texts.expires}>
      {expiresAt === null ? texts.never : <Time at={expiresAt} withTime={false} />}
    </Fact>
  );
}

function MachineList({ license, onRelease }: Props) {
  const { machines, machinesCount } = license;
  return (
    <>
      <ul className={styles.machines}>
        {machines.map((machine) => (
          <MachineRow key={machine.machineId} {...{ license, machine, onRelease }} />
        ))}
      </ul>
      {machinesCount > machines.length && (
        <Muted>{texts.more(machinesCount - machines.length)}</Muted>
      )}
      {license.releasesLeft === 0 && <Muted>{whenReleasable(license)}</Muted>}
    </>
  );
}

const whenReleasable = ({ releaseAvailableAt: at }: CustomerLicense): string =>
  at === null ? texts.notHere : texts.noneLeft(formatDate(at));

interface RowProps extends Props {
  readonly machine: CustomerMachine;
}

function MachineRow({ license, machine, onRelease }: RowProps) {
  const { lastSeenAt, certificateEndsAt } = machine;
  const name = nameOf(machine);
  const isReleasable = license.releasesLeft > 0 && license.status !== 'REVOKED';
  return (
    <li className={styles.machine}>
      <div>
        <span>{name}</span>
        <Muted>
          {texts.lastSeen} <Day at={lastSeenAt} />
        </Muted>
        {certificateEndsAt !== null && (
          <Muted>
            {texts.certificate} <Time at={certificateEndsAt} withTime={false} />
          </Muted>
        )}
      </div>
      {isReleasable && certificateEndsAt === null && (
        <button type="button" aria-label={texts.releaseOf(name)} onClick={() => onRelease(machine)}>
          {texts.releaseShort}
        </button>
      )}
    </li>
  );
}
