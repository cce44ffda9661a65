import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { rowsOf } from '../api/pages.js';
import type { License } from '../api/types.js';
import { useIsMailOn } from '../mail/use-mail.js';
import { useRecent } from '../search/recent.js';
import { Breadcrumbs, ListLink } from '../shared/breadcrumbs.js';
import { DialogButton } from '../shared/dialog-button.js';
import { Loaded } from '../shared/loaded.js';
import { Page } from '../shared/page.js';
import { StatusBadge } from '../shared/status-badge.js';
import { ActionMenu } from '../shared/ui/action-menu.js';
import buttons from '../shared/ui/button.module.css';
import { Columns } from '../shared/ui/columns.js';
import { Stack } from '../shared/ui/stack.js';
import { texts } from '../texts.js';
import { CertificateForm } from './certificate-form.js';
import { actionsOf, canBeResumed } from './license-actions.js';
import { LicenseEvents } from './license-events.js';
import { LicenseFacts } from './license-facts.js';
import { LicenseMachines } from './license-machines.js';
import { hintOf } from './license-name.js';
import { eventsQuery, licenseQuery } from './license-queries.js';

export function LicensePage() {
  const { id } = useParams({ from: '/member/licenses/$id' });
  const license = useQuery(licenseQuery(id));
  const replacement = useReplacement(id);
  const { data } = license;
  useRecent(
    data && {
      kind: 'license',
      _id: id,
      title: hintOf(data),
      subtitle: [data.clientName, data.projectName].filter(Boolean).join(' · '),
    },
  );
  const title = data?.projectName
    ? texts.licenses.titleOf(data.projectName)
    : texts.licenses.license;
  return (
    <Page
      key={id}
      title={title}
      trail={data && <Trail license={data} />}
      status={data && <StatusBadge status={data.status} />}
      actions={data && <Buttons license={data} />}
    >
      <Loaded query={license}>
        {(loaded) => (
          <Columns>
            <Stack>
              <LicenseFacts license={loaded} replacement={replacement} />
              <LicenseMachines license={loaded} />
              <CertificateForm license={loaded} />
            </Stack>
            <LicenseEvents id={id} />
          </Columns>
        )}
      </Loaded>
    </Page>
  );
}

/** The id of the license that replaces this one, from its history. */
function useReplacement(id: string): string | undefined {
  const { data } = useInfiniteQuery(eventsQuery(id));
  const reissue = data && rowsOf(data).find(({ type }) => type === 'license.reissued');
  const replacement = reissue?.data.replacement;
  return typeof replacement === 'string' ? replacement : undefined;
}

function Trail({ license }: { readonly license: License }) {
  const { _id, client, clientName } = license;
  return (
    <Breadcrumbs
      links={[
        <ListLink key="list" to="/licenses" name={texts.licenses.title} />,
        <Link key="client" to="/clients/$id" params={{ id: client }}>
          {clientName ?? texts.clients.client}
        </Link>,
        <Link key="license" to="/licenses/$id" params={{ id: _id }} aria-current="page">
          {hintOf(license)}
        </Link>,
      ]}
    />
  );
}

/** The actions for a license in its status: Renew or Resume, and Edit, as buttons, the others in a menu. */
function Buttons({ license }: { readonly license: License }) {
  const all = actionsOf(license, useIsMailOn());
  const [first] = all;
  const isPrimary = first?.operation === 'renewLicense' || canBeResumed(license);
  const shown = all.filter(
    (action) => action.operation === 'updateLicense' || (isPrimary && action === first),
  );
  return (
    <>
      {shown.map((action) => (
        <DialogButton
          key={action.label}
          label={action.label}
          title={action.dialog.title}
          operation={action.operation}
          className={isPrimary && action === first ? buttons.primary : undefined}
        >
          {action.dialog.content}
        </DialogButton>
      ))}
      <ActionMenu actions={all.filter((action) => !shown.includes(action))}>
        {texts.licenses.more}
      </ActionMenu>
    </>
  );
}
