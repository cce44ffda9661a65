import { useQuery } from '@tanstack/react-query';
import { Outlet, useRouteContext } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { useConfirmation } from '../api/step-up.js';
import { accountQuery, OwnRole } from '../api/use-may.js';
import { useWrite } from '../api/use-write.js';
import { preloadSearch, SearchDialog, ShortcutsDialog } from '../search/search-dialog.js';
import { useSearchAnywhere } from '../search/use-search-anywhere.js';
import { session } from '../session/session.js';
import { ErrorNote } from '../shared/error-note.js';
import { Notice } from '../shared/notices.js';
import { useFocusKept } from '../shared/use-focus-kept.js';
import { Waiting } from '../shared/waiting.js';
import { texts } from '../texts.js';
import { Sidebar } from './sidebar.js';
import styles from './layout.module.css';

const StepUpDialog = lazy(async () => ({
  default: (await import('../security/step-up-dialog.js')).StepUpDialog,
}));

/** Most computers show the first page within this many milliseconds. */
const IDLE = 1500;

/** The layout around the pages of a signed-in user. */
export function Layout() {
  useFocusKept();
  const { account } = useRouteContext({ from: '/member' });
  const role = useQuery(accountQuery).data?.role;
  const logOut = useWrite(() => session.logOut());
  const [searched, setSearched] = useState<string | null>(null);
  const closeSearch = useCallback(() => setSearched(null), []);
  const [isHelp, setHelp] = useState(false);
  const confirmation = useConfirmation();
  const openHelp = useCallback(() => setHelp(true), []);
  useSearchAnywhere(setSearched, openHelp);
  // Keeps text that is typed right after the shortcut.
  useEffect(() => {
    const timer = setTimeout(preloadSearch, IDLE);
    return () => clearTimeout(timer);
  }, []);
  return (
    <OwnRole value={role}>
      <div className={styles.shell}>
        <a className={styles.skip} href="#content">
          {texts.skip}
        </a>
        <Sidebar onLogOut={() => logOut.submit(undefined)} onSearch={() => setSearched('')} />
        {searched !== null && <SearchDialog initial={searched} onClose={closeSearch} />}
        {isHelp && <ShortcutsDialog onClose={() => setHelp(false)} />}
        {confirmation && (
          <Suspense fallback={null}>
            <StepUpDialog confirmation={confirmation} />
          </Suspense>
        )}
        <main id="content" tabIndex={-1}>
          <Waiting wait={logOut.wait} onStop={logOut.cancel} />
          {logOut.error && <ErrorNote error={logOut.error} />}
          <Notice />
          {/* Resets dialogs and input when the account changes. */}
          <Outlet key={account} />
        </main>
      </div>
    </OwnRole>
  );
}
