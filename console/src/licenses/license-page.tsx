import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { License } from '../api/types.js';
import { ClientName } from '../clients/client-name.js';
import { projectQuery } from '../projects/project-queries.js';
import { Breadcrumbs, ListLink } from '../shared/breadcrumbs.js';
import { Loaded } from '../shared/loaded.js';
import { Page } from '../shared/page.js';
import { StatusBadge } from '../shared/status-badge.js';
import { texts } from '../texts.js';
import { CertificateForm } from './certificate-form.js';
import { LicenseEvents } from './license-events.js';
import { LicenseFacts } from './license-facts.js';
import { LicenseKey } from './license-key.js';
import { licenseQuery } from './license-queries.js';
import { LicenseMachines } from './license-machines.js';
import { ReissueLicense } from './reissue-license.js';
import { RenewLicense } from './renew-license.js';
import { RevokeLicense } from './revoke-license.js';
import { SuspendLicense } from './suspend-license.js';

export function LicensePage() {
  const { id } = useParams({ from: '/member/licenses/$id' });
  const license = useQuery(licenseQuery(id));
  const projectId = license.data?.project;
  const project = useQuery({ ...projectQuery(projectId ?? ''), enabled: projectId !== undefined });
  const title = project.data ? texts.licenses.of(project.data.name) : texts.licenses.license;
  return (
    <Page
      key={id}
      title={title}
      trail={<Trail id={id} license={license.data} />}
      aside={license.data && <Aside license={license.data} />}
    >
      <Loaded query={license}>
        {(data) => (
          <div className="columns">
            <div className="stack">
              <LicenseKey license={data} />
              <LicenseFacts license={data} />
              {data.activatedAt !== null && <LicenseMachines license={data} />}
              <CertificateForm license={data} />
            </div>
            <LicenseEvents id={id} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function Trail({ id, license }: { readonly id: string; readonly license: License | undefined }) {
  const list = license ? <ClientName id={license.client} /> : null;
  return (
    <Breadcrumbs
      links={[
        <ListLink key="list" to="/licenses" name={texts.licenses.title} />,
        ...(list ? [list] : []),
        <Link to="/licenses/$id" params={{ id }} aria-current="page">
          {id}
        </Link>,
      ]}
    />
  );
}

/** The status, and what can be done in it. */
function Aside({ license }: { readonly license: License }) {
  const { status } = license;
  const canBeRenewed = license.activatedAt !== null && !license.perpetual && status !== 'REVOKED';
  return (
    <>
      <StatusBadge status={status} />
      <div className="actions">
        {status !== 'REVOKED' && <RevokeLicense license={license} />}
        {status !== 'REVOKED' && <SuspendLicense license={license} />}
        <ReissueLicense license={license} />
        {canBeRenewed && <RenewLicense license={license} className="primary" />}
      </div>
    </>
  );
}
