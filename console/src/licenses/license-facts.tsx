import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { License } from '../api/types.js';
import { PlanName } from '../plans/plan-name.js';
import { Fact, Facts } from '../shared/facts.js';
import { Time } from '../shared/time.js';
import { Panel } from '../shared/ui/panel.js';
import { texts } from '../texts.js';
import { LicenseKey } from './license-key.js';
import { expiryOf, termOf } from './license-columns.js';
import { hintOf } from './license-name.js';
import { licenseQuery } from './license-queries.js';
import styles from './license-facts.module.css';
import { edit, seats, terms, updates } from './license-texts.js';
import { textOfNotes } from './notes.js';
import { daysUntil } from './renewal.js';
import { Muted } from '../shared/ui/muted.js';

const { licenses: names } = texts;

interface Props {
  readonly license: License;
  /** The id of the license that replaces it. */
  readonly replacement: string | undefined;
}

/** The key, client, term and entitlements of a license. */
export function LicenseFacts({ license, replacement }: Props) {
  const { client, clientName, project, projectName, product, services, plan, replaces } = license;
  const notes = textOfNotes(license.metadata);
  return (
    <Panel label={names.details}>
      <LicenseKey license={license} />
      <Facts>
        {license.revokedAt !== null && (
          <Fact name={names.revokedOn}>
            <Time at={license.revokedAt} />
          </Fact>
        )}
        <Reason text={license.suspendedReason ?? license.revokedReason} />
        <Fact name={texts.clients.client}>
          <Link to="/clients/$id" params={{ id: client }}>
            {clientName ?? client}
          </Link>
        </Fact>
        <Fact name={texts.projects.project}>
          <Link to="/licenses" search={{ clientId: client, projectId: project }}>
            {projectName ?? project}
          </Link>
        </Fact>
        <Fact name={names.expires}>
          {license.startsOnActivation && !license.perpetual && license.status === 'PENDING' ? (
            <Muted isInline>{names.startsLater}</Muted>
          ) : (
            expiryOf(license)
          )}{' '}
          <DaysLeft license={license} />
        </Fact>
        <Fact name={names.term}>{termOf(license)}</Fact>
        {plan !== null && (
          <Fact name={terms.plan}>
            <PlanName id={plan} />
          </Fact>
        )}
        <Updates license={license} />
        <Fact name={seats.title}>{license.maxMachines.toLocaleString('en')}</Fact>
        {license.leaseSeconds !== null && (
          <Fact name={terms.floatingFact}>{terms.floatingAfter(license.leaseSeconds)}</Fact>
        )}
        {services.length > 0 && <Fact name={names.services}>{services.join(', ')}</Fact>}
        {license.entitlements.length > 0 && (
          <Fact name={terms.entitlements}>{license.entitlements.join(', ')}</Fact>
        )}
        {license.externalId !== null && <Fact name={terms.externalId}>{license.externalId}</Fact>}
        {notes !== '' && (
          <Fact name={edit.notes}>
            <span className={styles.notes}>{notes}</span>
          </Fact>
        )}
        {product !== null && <Fact name={texts.projects.product}>{product}</Fact>}
        <Fact name={names.issued}>
          <Time at={license.createdAt} />
        </Fact>
        {replaces !== null && (
          <Fact name={names.replaces}>
            <LicenseLink id={replaces} name={names.formerLicense} />
          </Fact>
        )}
        {replacement !== undefined && (
          <Fact name={names.replacedBy}>
            <LicenseLink id={replacement} name={names.newLicense} />
          </Fact>
        )}
      </Facts>
    </Panel>
  );
}

/** Why it is suspended or was revoked. */
const Reason = ({ text }: { readonly text: string | null }) =>
  text !== null && <Fact name={names.because}>{text}</Fact>;

/** The end of updates, if limited. */
function Updates({ license: { updatesUntil, updatesDays } }: { readonly license: License }) {
  if (updatesUntil === null && updatesDays === null) return null;
  return (
    <Fact name={updates.until}>
      {updatesUntil === null ? (
        <Muted isInline>{updates.daysFrom(Number(updatesDays))}</Muted>
      ) : (
        <Time at={updatesUntil} withTime={false} />
      )}
    </Fact>
  );
}

function DaysLeft({ license: { status, expiresAt } }: { readonly license: License }) {
  if (status !== 'ACTIVE' || expiresAt === null) return null;
  const days = daysUntil(expiresAt);
  return (
    <time dateTime={`P${days}D`}>
      <Muted isInline>{names.left(days)}</Muted>
    </time>
  );
}

/** @param name shown until the license has been read, and if it was deleted */
function LicenseLink({ id, name }: { readonly id: string; readonly name: string }) {
  const { data } = useQuery({ ...licenseQuery(id), refetchInterval: false });
  return (
    <Link to="/licenses/$id" params={{ id }}>
      {data ? hintOf(data) : name}
    </Link>
  );
}
