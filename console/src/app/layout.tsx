import { Link, Outlet, useRouteContext } from '@tanstack/react-router';
import { useWrite } from '../api/use-write.js';
import { session } from '../session/session.js';
import { plans } from '../licenses/license-texts.js';
import { ErrorNote } from '../shared/error-note.js';
import { Notice } from '../shared/notices.js';
import { useFocusKept } from '../shared/use-focus-kept.js';
import { Waiting } from '../shared/waiting.js';
import { texts } from '../texts.js';

const PAGES = [
  { to: '/', name: texts.overview.title },
  { to: '/clients', name: texts.clients.title },
  { to: '/licenses', name: texts.licenses.title },
  { to: '/plans', name: plans.title },
  { to: '/events', name: texts.events.title },
  { to: '/account', name: texts.account.title },
] as const;

/** What surrounds the pages of those who are logged in. */
export function Layout() {
  useFocusKept();
  const { account } = useRouteContext({ from: '/member' });
  const logOut = useWrite(() => session.logOut());
  return (
    <>
      <a className="skip" href="#content">
        {texts.skip}
      </a>
      <header className="top">
        <p className="brand">{texts.product}</p>
        <nav aria-label={texts.navigation}>
          <ul>
            {PAGES.map(({ to, name }) => (
              <li key={to}>
                <Link to={to} activeOptions={{ exact: to === '/', includeSearch: false }}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <button type="button" className="quiet" onClick={() => logOut.submit(undefined)}>
          {texts.session.logOut}
        </button>
      </header>
      <main id="content" tabIndex={-1}>
        <Waiting wait={logOut.wait} onStop={logOut.cancel} />
        {logOut.error && <ErrorNote error={logOut.error} />}
        <Notice />
        {/* Another account sees no dialog and no input of this one. */}
        <Outlet key={account} />
      </main>
    </>
  );
}
