import type { ReactNode } from 'react';
import type { LicenseEvent } from '../api/types.js';
import { Time } from '../shared/time.js';
import { texts } from '../texts.js';
import { MachineHash } from './machine-hash.js';

const { events: names } = texts;

interface Props {
  readonly event: LicenseEvent;
  /** Of which license; on the license's own page that is known. */
  readonly children?: ReactNode;
}

/** An event of a timeline. */
export function EventItem({ event, children }: Props) {
  const { type, at, count, machineId, certificateExpiresAt } = event;
  const reason = reasonOf(event);
  return (
    <li>
      <p className="timeline-head">
        <strong>{names.names[type]}</strong>
        {count > 1 && <span>{names.times(count)}</span>}
        <Time at={at} />
      </p>
      {children}
      {reason !== null && <p>{reason}</p>}
      <p className="muted">
        {actorOf(event)}
        {machineId !== null && (
          <>
            {' · '}
            {names.machine} <MachineHash hash={machineId} />
          </>
        )}
        {certificateExpiresAt !== null && (
          <>
            {' · '}
            {names.until} <Time at={certificateExpiresAt} />
          </>
        )}
      </p>
    </li>
  );
}

function reasonOf({ type, reason }: LicenseEvent): string | null {
  if (reason === null) return null;
  return type === 'activation_rejected' ? (names.rejections[reason] ?? reason) : reason;
}

function actorOf({ actor, type }: LicenseEvent): string {
  if (actor !== null) return names.byYou;
  return type === 'expired' ? names.byTime : names.bySoftware;
}
