import { Outlet, useRouteContext } from '@tanstack/react-router';
import { useWrite } from '../api/use-write.js';
import { session } from '../session/session.js';
import { ErrorNote } from '../shared/error-note.js';
import { Notice } from '../shared/notices.js';
import { useFocusKept } from '../shared/use-focus-kept.js';
import { Waiting } from '../shared/waiting.js';
import { texts } from '../texts.js';
import { Sidebar } from './sidebar.js';

/** What surrounds the pages of those who are logged in. */
export function Layout() {
  useFocusKept();
  const { account } = useRouteContext({ from: '/member' });
  const logOut = useWrite(() => session.logOut());
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {texts.skip}
      </a>
      <Sidebar onLogOut={() => logOut.submit(undefined)} />
      <main id="content" tabIndex={-1}>
        <Waiting wait={logOut.wait} onStop={logOut.cancel} />
        {logOut.error && <ErrorNote error={logOut.error} />}
        <Notice />
        {/* Another account sees no dialog and no input of this one. */}
        <Outlet key={account} />
      </main>
    </div>
  );
}
