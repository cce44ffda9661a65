import { useQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { CircleUser, LogOut, Menu } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import { accountQuery, OwnRole, useMay } from '../api/use-may.js';
import { SearchButton } from '../search/search-button.js';
import { Brand } from '../shared/brand.js';
import buttons from '../shared/ui/button.module.css';
import { Muted } from '../shared/ui/muted.js';
import { VisuallyHidden } from '../shared/ui/visually-hidden.js';
import { roles } from '../team/roles.js';
import { texts } from '../texts.js';
import { PAGES, SETTINGS } from './navigation.js';
import { titles } from './navigation-texts.js';
import styles from './sidebar.module.css';

interface LoginProps {
  readonly onLogOut: () => void;
}

interface Props extends LoginProps {
  readonly onSearch: () => void;
}

/** The brand, search, pages and current user. On narrow screens it is a drawer that a button above the page opens. */
export function Sidebar({ onLogOut, onSearch }: Props) {
  const drawer = useRef<HTMLDivElement>(null);
  useClosedByNavigation(drawer);
  return (
    <>
      <header className={styles.bar}>
        <button type="button" className={buttons.quiet} popoverTarget="sidebar">
          <Menu size={20} aria-hidden />
          <VisuallyHidden>{texts.menu}</VisuallyHidden>
        </button>
        <div className={styles.brand}>
          <Brand />
        </div>
        <SearchButton isIcon onSearch={onSearch} />
        <Link to="/account" className={styles.account}>
          <CircleUser size={20} aria-hidden />
          <VisuallyHidden>{texts.account.title}</VisuallyHidden>
        </Link>
      </header>
      <div ref={drawer} id="sidebar" popover="auto" className={styles.sidebar}>
        <div className={styles.brand}>
          <Brand />
          <AccountName />
        </div>
        <SearchButton onSearch={onSearch} />
        <nav aria-label={texts.navigation}>
          <Entries entries={PAGES} />
        </nav>
        <nav aria-label={titles.settings}>
          <h2>{titles.settings}</h2>
          <Entries entries={SETTINGS} />
        </nav>
        <Login onLogOut={onLogOut} />
      </div>
    </>
  );
}

/** The sidebar until the role is known: only the pages that every role may open. */
export const WaitingSidebar = () => (
  <>
    <header className={styles.bar}>
      <div className={styles.brand}>
        <Brand />
      </div>
    </header>
    <div popover="auto" className={styles.sidebar}>
      <div className={styles.brand}>
        <Brand />
      </div>
      <OwnRole value="viewer">
        <nav aria-label={texts.navigation}>
          <Entries entries={PAGES} />
        </nav>
      </OwnRole>
    </div>
  </>
);

function useClosedByNavigation(drawer: RefObject<HTMLDivElement | null>): void {
  const address = useRouterState({ select: ({ location }) => location.href });
  useEffect(() => {
    if (drawer.current?.matches(':popover-open')) drawer.current.hidePopover();
  }, [address, drawer]);
}

function Entries({ entries }: { readonly entries: typeof PAGES }) {
  const may = useMay();
  return (
    <ul>
      {entries
        .filter(({ operation }) => may(operation))
        .map(({ to, name, icon: Icon }) => (
          <li key={to}>
            <Link
              to={to}
              activeOptions={{ exact: to === '/' || to === '/account', includeSearch: false }}
            >
              <Icon size={18} aria-hidden />
              {name}
            </Link>
          </li>
        ))}
    </ul>
  );
}

/** The account's owner, because a member may belong to several accounts. */
function AccountName() {
  const { data } = useQuery(accountQuery);
  return data && <Muted>{data.accountName}</Muted>;
}

function Login({ onLogOut }: LoginProps) {
  const { data } = useQuery(accountQuery);
  return (
    <div className={styles.login}>
      <p>
        {data && (
          <>
            <span title={data.email}>{data.name}</span>
            <Muted isInline>{roles[data.role]}</Muted>
          </>
        )}
      </p>
      <button type="button" className={buttons.quiet} onClick={onLogOut}>
        <LogOut size={18} aria-hidden />
        {texts.session.signOut}
      </button>
    </div>
  );
}
