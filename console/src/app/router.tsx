import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from '@tanstack/react-router';
import { queryClient } from '../api/query-client.js';
import { accountQuery } from '../api/use-may.js';
import { binQuery } from '../bin/bin-queries.js';
import { toClientFilter } from '../clients/client-filter.js';
import { clientQuery, countedClientsQuery } from '../clients/client-queries.js';
import { toEventFilter } from '../events/event-filter.js';
import { toIntegration } from '../integrate/integration.js';
import { toLicenseFilter } from '../licenses/license-filter.js';
import { clientLicensesQuery, licenseQuery, licensesQuery } from '../licenses/license-queries.js';
import { expiringQuery, latestEventsQuery, summaryQuery } from '../overview/overview-queries.js';
import { projectsQuery } from '../projects/project-queries.js';
import { session } from '../session/session.js';
import { LogInPage } from '../session/log-in-page.js';
import { BASE_PATH, TAKES_IMPORTS } from '../shared/deployment.js';
import { forgetDrafts } from '../shared/drafts.js';
import { Failure, FailureOfSession } from './failure.js';
import { NotFound } from './not-found.js';
import { WaitingLayout } from './waiting-layout.js';
import { toDeliveryFilter } from '../webhooks/delivery-filter.js';
import { isPath, readSearch, requireId, toSearchOfList, writeSearch } from './search.js';

/** Whether a user is signed in. It waits if the service says so. */
const isLoggedIn = () =>
  queryClient.fetchQuery({
    queryKey: ['session'],
    queryFn: () => session.isActive(),
    staleTime: 0,
  });

const root = createRootRoute();

/** Pages for visitors. Users who are signed in are redirected to `from`. */
const visitor = createRoute({
  getParentRoute: () => root,
  id: 'visitor',
  errorComponent: FailureOfSession,
  validateSearch: ({ from }): { from?: string } => (isPath(from) ? { from } : {}),
  beforeLoad: async ({ search }) => {
    if (await isLoggedIn()) redirect({ href: search.from ?? '/', throw: true });
  },
});

const logIn = createRoute({
  getParentRoute: () => visitor,
  path: '/login',
  component: LogInPage,
});

const register = createRoute({
  getParentRoute: () => visitor,
  path: '/register',
  component: lazyRouteComponent(() => import('../session/register-page.js'), 'RegisterPage'),
});

const forgotPassword = createRoute({
  getParentRoute: () => visitor,
  path: '/forgot-password',
  component: lazyRouteComponent(
    () => import('../recovery/forgot-password-page.js'),
    'ForgotPasswordPage',
  ),
});

/** Pages behind mailed links, for users who are signed in or not. The URL fragment is the token. */
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyRouteComponent(
    () => import('../recovery/reset-password-page.js'),
    'ResetPasswordPage',
  ),
});

const confirmEmail = createRoute({
  getParentRoute: () => root,
  path: '/confirm-email',
  component: lazyRouteComponent(
    () => import('../recovery/confirm-email-page.js'),
    'ConfirmEmailPage',
  ),
});

/** The page for invitations, for users who are signed in or not. The URL fragment is the invitation. */
const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  errorComponent: FailureOfSession,
  beforeLoad: async () => ({ isLoggedIn: await isLoggedIn() }),
  component: lazyRouteComponent(() => import('../team/join-page.js'), 'JoinPage'),
});

/** Pages for users who are signed in. Others sign in first and then return, unless they signed out here. */
const member = createRoute({
  getParentRoute: () => root,
  id: 'member',
  component: lazyRouteComponent(() => import('./layout.js'), 'Layout'),
  pendingComponent: WaitingLayout,
  errorComponent: FailureOfSession,
  beforeLoad: async ({ location }) => {
    const { href: from } = location;
    if (!(await isLoggedIn())) {
      const search = from === '/' || session.isLoggedOut ? {} : { from };
      redirect({ to: '/login', search, throw: true });
    }
    forgetDrafts(session.account);
    return { account: session.account };
  },
});

const overview = createRoute({
  getParentRoute: () => member,
  path: '/',
  loader: () => {
    void queryClient.prefetchQuery(accountQuery);
    void queryClient.prefetchQuery(summaryQuery);
    void queryClient.prefetchQuery(expiringQuery);
    void queryClient.prefetchQuery(latestEventsQuery);
  },
  component: lazyRouteComponent(() => import('../overview/overview-page.js'), 'OverviewPage'),
});

const clients = createRoute({
  getParentRoute: () => member,
  path: '/clients',
  validateSearch: toClientFilter,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => void queryClient.prefetchInfiniteQuery(countedClientsQuery(deps)),
  component: lazyRouteComponent(() => import('../clients/clients-page.js'), 'ClientsPage'),
});

const client = createRoute({
  getParentRoute: () => member,
  path: '/clients/$id',
  beforeLoad: requireId,
  loader: ({ params: { id } }) => {
    void queryClient.prefetchQuery(clientQuery(id));
    void queryClient.prefetchInfiniteQuery(projectsQuery(id));
    void queryClient.prefetchInfiniteQuery(clientLicensesQuery(id));
  },
  component: lazyRouteComponent(() => import('../clients/client-page.js'), 'ClientPage'),
});

const licenses = createRoute({
  getParentRoute: () => member,
  path: '/licenses',
  validateSearch: toLicenseFilter,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => void queryClient.prefetchInfiniteQuery(licensesQuery(deps)),
  component: lazyRouteComponent(() => import('../licenses/licenses-page.js'), 'LicensesPage'),
});

const importing = createRoute({
  getParentRoute: () => member,
  path: '/licenses/import',
  beforeLoad: () => {
    if (!TAKES_IMPORTS) notFound({ throw: true });
  },
  component: lazyRouteComponent(() => import('../imports/import-page.js'), 'ImportPage'),
});

const license = createRoute({
  getParentRoute: () => member,
  path: '/licenses/$id',
  beforeLoad: requireId,
  validateSearch: toSearchOfList,
  loader: ({ params: { id } }) => void queryClient.prefetchQuery(licenseQuery(id)),
  component: lazyRouteComponent(() => import('../licenses/license-page.js'), 'LicensePage'),
});

const plans = createRoute({
  getParentRoute: () => member,
  path: '/plans',
  component: lazyRouteComponent(() => import('../plans/plans-page.js'), 'PlansPage'),
});

const account = createRoute({
  getParentRoute: () => member,
  path: '/account',
  component: lazyRouteComponent(() => import('../account/account-page.js'), 'AccountPage'),
});

const team = createRoute({
  getParentRoute: () => member,
  path: '/account/team',
  component: lazyRouteComponent(() => import('../team/team-page.js'), 'TeamPage'),
});

const apiKeys = createRoute({
  getParentRoute: () => member,
  path: '/account/api-keys',
  component: lazyRouteComponent(() => import('../api-keys/api-keys-page.js'), 'ApiKeysPage'),
});

const portal = createRoute({
  getParentRoute: () => member,
  path: '/account/portal',
  component: lazyRouteComponent(() => import('../portal/portal-page.js'), 'PortalPage'),
});

const security = createRoute({
  getParentRoute: () => member,
  path: '/account/security',
  component: lazyRouteComponent(() => import('../security/security-page.js'), 'SecurityPage'),
});

const signingKeys = createRoute({
  getParentRoute: () => member,
  path: '/account/signing-keys',
  component: lazyRouteComponent(() => import('../account/signing-keys-page.js'), 'SigningKeysPage'),
});

const webhooks = createRoute({
  getParentRoute: () => member,
  path: '/account/webhooks',
  component: lazyRouteComponent(() => import('../webhooks/webhooks-page.js'), 'WebhooksPage'),
});

const webhook = createRoute({
  getParentRoute: () => member,
  path: '/account/webhooks/$id',
  beforeLoad: requireId,
  validateSearch: toDeliveryFilter,
  component: lazyRouteComponent(() => import('../webhooks/webhook-page.js'), 'WebhookPage'),
});

const deleted = createRoute({
  getParentRoute: () => member,
  path: '/account/deleted',
  validateSearch: toSearchOfList,
  loaderDeps: ({ search }) => search,
  loader: ({ deps: { search } }) => void queryClient.prefetchInfiniteQuery(binQuery(search)),
  component: lazyRouteComponent(() => import('../bin/bin-page.js'), 'BinPage'),
});

const mail = createRoute({
  getParentRoute: () => member,
  path: '/account/mail',
  component: lazyRouteComponent(() => import('../mail/mail-page.js'), 'MailPage'),
});

const integrate = createRoute({
  getParentRoute: () => member,
  path: '/integrate',
  validateSearch: toIntegration,
  component: lazyRouteComponent(() => import('../integrate/integrate-page.js'), 'IntegratePage'),
});

const events = createRoute({
  getParentRoute: () => member,
  path: '/events',
  validateSearch: toEventFilter,
  component: lazyRouteComponent(() => import('../events/events-page.js'), 'EventsPage'),
});

/** Any other address, with the sidebar around the message. */
const others = createRoute({
  getParentRoute: () => member,
  path: '$',
  component: NotFound,
});

export const router = createRouter({
  routeTree: root.addChildren([
    visitor.addChildren([logIn, register, forgotPassword]),
    ...[resetPassword, confirmEmail, join],
    member.addChildren([
      ...[overview, clients, client, licenses, importing, license, plans, events, integrate],
      ...[account, team, apiKeys, webhooks, webhook, mail, portal, security, signingKeys],
      ...[deleted, others],
    ]),
  ]),
  basepath: `${BASE_PATH}/console`,
  parseSearch: readSearch,
  stringifySearch: writeSearch,
  // Parameters that no page validates are dropped.
  search: { strict: true },
  scrollRestoration: true,
  // A page's code and data load when the user is about to open it.
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultErrorComponent: Failure,
  defaultNotFoundComponent: NotFound,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
