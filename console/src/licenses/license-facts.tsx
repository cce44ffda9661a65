import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { License } from '../api/types.js';
import { ClientName } from '../clients/client-name.js';
import { ProjectName } from '../projects/project-name.js';
import { Time } from '../shared/time.js';
import { texts } from '../texts.js';
import { Expiry } from './license-table.js';
import { terms } from './license-texts.js';
import { MachineHash } from './machine-hash.js';

const { licenses: names } = texts;

export function LicenseFacts({ license }: { readonly license: License }) {
  const { client, project, product, services, createdAt, replaces } = license;
  return (
    <section className="panel" aria-label={names.details}>
      <h2>{names.details}</h2>
      <dl className="facts">
        {license.revokedAt !== null && (
          <Fact name={names.revokedOn}>
            <Time at={license.revokedAt} />
          </Fact>
        )}
        {license.revokedReason !== null && (
          <Fact name={names.because}>{license.revokedReason}</Fact>
        )}
        <Fact name={names.machine}>
          <Machine license={license} />
        </Fact>
        <Fact name={names.expires}>
          <Expiry license={license} />
        </Fact>
        <Fact name={names.duration}>{texts.term(license)}</Fact>
        <Fact name={names.services}>{services.join(', ')}</Fact>
        <Fact name={terms.maxMachines}>{license.maxMachines}</Fact>
        {license.leaseSeconds !== null && (
          <Fact name={terms.leaseSeconds}>{license.leaseSeconds}</Fact>
        )}
        <Fact name={terms.entitlements}>{license.entitlements.join(', ') || texts.none}</Fact>
        {license.externalId !== null && <Fact name={terms.externalId}>{license.externalId}</Fact>}
        <Fact name={texts.clients.client}>
          <ClientName id={client} />
        </Fact>
        <Fact name={texts.projects.project}>
          <ProjectName id={project} />
        </Fact>
        <Fact name={texts.projects.product}>{product ?? texts.none}</Fact>
        <Fact name={names.issued}>
          <Time at={createdAt} />
        </Fact>
        {replaces !== null && (
          <Fact name={names.replaces}>
            <Link to="/licenses/$id" params={{ id: replaces }}>
              {names.formerLicense}
            </Link>
          </Fact>
        )}
      </dl>
    </section>
  );
}

function Machine({ license: { status, machineId, activatedAt } }: { readonly license: License }) {
  if (machineId === null || activatedAt === null) {
    return status === 'PENDING' ? names.noMachine : names.neverActivated;
  }
  return (
    <>
      <MachineHash hash={machineId} /> {names.machineSince} <Time at={activatedAt} />
    </>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);
