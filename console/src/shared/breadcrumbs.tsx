import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts } from '../texts.js';
import styles from './breadcrumbs.module.css';

/** The path from a list to the current page. */
export function Breadcrumbs({ links }: { readonly links: readonly ReactNode[] }) {
  return (
    <nav className={styles.breadcrumbs} aria-label={texts.breadcrumbs}>
      <ol>
        {links.map((link, index) => (
          <li key={index}>{link}</li>
        ))}
      </ol>
    </nav>
  );
}

interface ListLinkProps {
  readonly to: '/clients' | '/licenses';
  readonly name: string;
}

/** The first link. It is active only on the list itself. */
export const ListLink = ({ to, name }: ListLinkProps) => (
  <Link to={to} activeOptions={{ exact: true }}>
    {name}
  </Link>
);
