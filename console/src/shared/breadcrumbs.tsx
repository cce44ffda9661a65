import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts } from '../texts.js';
import styles from './breadcrumbs.module.css';

/** The way to a page, from the list that it belongs to. */
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

/** The first link. The pages below a list are not that list. */
export const ListLink = ({ to, name }: ListLinkProps) => (
  <Link to={to} activeOptions={{ exact: true }}>
    {name}
  </Link>
);
