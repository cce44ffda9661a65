import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { rowsOf } from '../api/pages.js';
import type { Client } from '../api/types.js';
import { clientLicensesQuery } from '../licenses/license-queries.js';
import { PortalLink } from '../portal/portal-link.js';
import { portal } from '../portal/portal-texts.js';
import { NewProject } from '../projects/new-project.js';
import { ProjectPanel } from '../projects/project-panel.js';
import { projectsQuery } from '../projects/project-queries.js';
import { useRecent } from '../search/recent.js';
import { Breadcrumbs, ListLink } from '../shared/breadcrumbs.js';
import { Empty } from '../shared/empty.js';
import { Loaded } from '../shared/loaded.js';
import { Page } from '../shared/page.js';
import { ShowMore } from '../shared/show-more.js';
import { Time } from '../shared/time.js';
import { ActionMenu } from '../shared/ui/action-menu.js';
import { Muted } from '../shared/ui/muted.js';
import { texts } from '../texts.js';
import { ChangeClient } from './change-client.js';
import { clientQuery } from './client-queries.js';
import { personalData } from './client-texts.js';
import { DeleteForm } from './delete-client.js';
import { PersonalData } from './personal-data.js';

export function ClientPage() {
  const { id } = useParams({ from: '/member/clients/$id' });
  const client = useQuery(clientQuery(id));
  useRecent(
    client.data && {
      kind: 'client',
      _id: id,
      title: client.data.name,
      subtitle: client.data.email,
    },
  );
  const name = client.data?.name ?? texts.clients.client;
  const trail = (
    <Breadcrumbs
      links={[
        <ListLink key="list" to="/clients" name={texts.clients.title} />,
        <Link to="/clients/$id" params={{ id }} aria-current="page">
          {name}
        </Link>,
      ]}
    />
  );
  return (
    <Page
      key={id}
      title={name}
      trail={trail}
      actions={client.data && <ClientActions client={client.data} />}
    >
      <Loaded query={client}>
        {({ email, createdAt }) => (
          <>
            <Muted>
              {email} · {texts.clients.since} <Time at={createdAt} withTime={false} />
            </Muted>
            <Projects clientId={id} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const ClientActions = ({ client }: { readonly client: Client }) => (
  <>
    <NewProject client={client} />
    <ChangeClient client={client} />
    <ActionMenu
      actions={[
        {
          label: portal.link,
          operation: 'createPortalLink',
          dialog: {
            title: portal.linkTitle(client.name),
            content: (close) => <PortalLink client={client} onClose={close} />,
          },
        },
        {
          label: personalData.action,
          operation: 'eraseClient',
          dialog: {
            title: personalData.title(client.name),
            content: (close) => <PersonalData client={client} onClose={close} />,
          },
        },
        {
          label: texts.clients.delete,
          operation: 'deleteClient',
          dialog: {
            title: texts.clients.deleteTitle(client.name),
            content: (close) => <DeleteForm client={client} onClose={close} />,
          },
        },
      ]}
    >
      {texts.licenses.more}
    </ActionMenu>
  </>
);

/** The projects with their licenses. */
function Projects({ clientId }: { readonly clientId: string }) {
  const projects = useInfiniteQuery(projectsQuery(clientId));
  const licenses = useInfiniteQuery(clientLicensesQuery(clientId));
  const unread = [projects, licenses].filter(({ hasNextPage }) => hasNextPage);
  return (
    <>
      <Loaded query={projects}>
        {(found) => {
          const rows = rowsOf(found);
          if (rows.length === 0) return <NoProjects />;
          return (
            <Loaded query={licenses}>
              {(pages) => {
                const all = rowsOf(pages);
                return rows.map((project) => (
                  <ProjectPanel
                    key={project._id}
                    project={project}
                    licenses={all.filter(({ project: of }) => of === project._id)}
                    hasMore={licenses.hasNextPage}
                  />
                ));
              }}
            </Loaded>
          );
        }}
      </Loaded>
      <ShowMore
        query={{
          hasNextPage: unread.length > 0,
          isFetchingNextPage: unread.some(({ isFetchingNextPage }) => isFetchingNextPage),
          fetchNextPage: () => unread.forEach((query) => void query.fetchNextPage()),
        }}
      />
    </>
  );
}

function NoProjects() {
  const { none, noneDetails } = texts.projects;
  return <Empty title={none} details={noneDetails} operation="createProject" />;
}
