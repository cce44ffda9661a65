import type { ReactNode } from 'react';
import type { Event } from '../api/types.js';
import { MachineHash } from '../licenses/machine-hash.js';
import { Ago, Time } from '../shared/time.js';
import { Muted } from '../shared/ui/muted.js';
import { texts } from '../texts.js';
import { EventActor } from './event-actor.js';
import { fullNameOf } from './event-texts.js';
import styles from './timeline.module.css';

const { events: names } = texts;

interface Props {
  readonly event: Event;
  /** The subject, except on its own page. */
  readonly children?: ReactNode;
  /** The changes. */
  readonly details?: ReactNode;
}

/** An event in a timeline. */
export function EventItem({ event, children, details }: Props) {
  const { type, at, lastAt, count, data } = event;
  const { reason, machineId, certificateExpiresAt } = data as Record<string, string | undefined>;
  // Always shown as "The customer", not by name.
  const isNamed = event.actor.name !== null && event.actor.type !== 'client';
  return (
    <li>
      <p className={styles.head}>
        <strong>{children ? fullNameOf(type) : names.names[type]}</strong>
        {count > 1 && <span>{names.times(count)}</span>}
        <Ago at={lastAt ?? at} />
      </p>
      {children}
      <p>{details ?? (reason && (names.rejections[reason] ?? reason))}</p>
      <Muted>
        {isNamed && `${names.by} `}
        <EventActor event={event} />
        {machineId && (
          <>
            {' · '}
            {names.machine} <MachineHash hash={machineId} />
          </>
        )}
        {certificateExpiresAt && (
          <>
            {' · '}
            {names.until} <Time at={certificateExpiresAt} withTime={false} />
          </>
        )}
      </Muted>
    </li>
  );
}
