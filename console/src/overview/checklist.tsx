import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useRouteContext } from '@tanstack/react-router';
import { CircleCheck, CircleDashed } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { rowsOf } from '../api/pages.js';
import type { Summary } from '../api/types.js';
import { useMay } from '../api/use-may.js';
import { clientsQuery } from '../clients/client-queries.js';
import { NewClient } from '../clients/new-client.js';
import { NewLicense } from '../projects/new-license.js';
import { AddSampleData } from '../samples/sample-panel.js';
import styles from './checklist.module.css';
import { Actions } from '../shared/ui/actions.js';
import buttons from '../shared/ui/button.module.css';
import { Muted } from '../shared/ui/muted.js';
import { Panel, PanelHead } from '../shared/ui/panel.js';
import { VisuallyHidden } from '../shared/ui/visually-hidden.js';
import { checklist as names } from './overview-texts.js';

interface Props {
  readonly summary: Summary;
}

/**
 * The first steps in a new account. Steps are checked off automatically. The list disappears when all are
 * done, or when the user hides it.
 */
export function Checklist({ summary: { licensesByStatus, activationsPerDay } }: Props) {
  const may = useMay();
  const { account } = useRouteContext({ from: '/member' });
  const stored = `checklist-dismissed ${account}`;
  const [isDismissed, setDismissed] = useState(() => localStorage.getItem(stored) !== null);
  const clients = useInfiniteQuery(clientsQuery(undefined));
  const licenses = Object.values(licensesByStatus).reduce((sum, count) => sum + count, 0);
  const { ACTIVE, EXPIRED } = licensesByStatus;
  const isActivated = ACTIVE + EXPIRED > 0 || activationsPerDay.some(({ count }) => count > 0);
  const isClient = licenses > 0 || (clients.data !== undefined && rowsOf(clients.data).length > 0);
  if (isActivated || !may('createProject')) return null;
  const dismiss = (isHidden: boolean) => {
    if (isHidden) localStorage.setItem(stored, '');
    else localStorage.removeItem(stored);
    setDismissed(isHidden);
  };
  if (isDismissed) {
    return (
      <Actions>
        <button type="button" className={buttons.quiet} onClick={() => dismiss(false)}>
          {names.show}
        </button>
      </Actions>
    );
  }
  return (
    <Panel label={names.title}>
      <PanelHead title={names.title}>
        <button type="button" className={buttons.quiet} onClick={() => dismiss(true)}>
          {names.dismiss}
        </button>
      </PanelHead>
      <ol className={styles.steps}>
        <Step isDone={isClient} name={names.client} details={names.clientDetails}>
          <NewClient label={names.addClient} />
        </Step>
        <Step isDone={licenses > 0} name={names.license} details={names.licenseDetails}>
          <NewLicense label={names.issue} isPlain />
        </Step>
        <Step isDone={false} name={names.integrate} details={names.integrateDetails}>
          <Link to="/integrate" className={buttons.link}>
            {names.integrate}
          </Link>
        </Step>
      </ol>
      {!isClient && clients.isSuccess && (
        <div className={styles.sample}>
          <AddSampleData account={account!} />
        </div>
      )}
    </Panel>
  );
}

interface StepProps {
  readonly isDone: boolean;
  readonly name: string;
  readonly details: string;
  /** The button for the step. */
  readonly children: ReactNode;
}

function Step({ isDone, name, details, children }: StepProps) {
  const Icon = isDone ? CircleCheck : CircleDashed;
  return (
    <li data-done={isDone}>
      <Icon size={20} aria-hidden />
      <div>
        <p>
          <strong>{name}</strong>{' '}
          <VisuallyHidden>{isDone ? names.done : names.open}</VisuallyHidden>
        </p>
        <Muted>{details}</Muted>
      </div>
      {!isDone && children}
    </li>
  );
}
