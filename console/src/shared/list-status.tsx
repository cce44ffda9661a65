import type { InfiniteData } from '@tanstack/react-query';
import { type Noun, texts } from '../texts.js';
import { Muted } from './ui/muted.js';
import { VisuallyHidden } from './ui/visually-hidden.js';
import styles from './list-status.module.css';

interface Page {
  readonly data: readonly unknown[];
  /** The total, if the first page has counted it. */
  readonly total?: number | undefined;
}

interface Props {
  /** What the list contains. */
  readonly noun: Noun;
  /** The total, if the list does not count itself. */
  readonly total?: number | undefined;
  readonly query: {
    readonly data: InfiniteData<Page> | undefined;
    readonly isPlaceholderData: boolean;
    readonly hasNextPage: boolean;
  };
}

/** The number of rows that a search or filter found, announced by screen readers. */
export function ListStatus({ noun, total, query }: Props) {
  const { data, isPlaceholderData, hasNextPage } = query;
  const pages = isPlaceholderData ? [] : (data?.pages ?? []);
  const count = pages.reduce((sum, page) => sum + page.data.length, 0);
  const found = pages.length > 0 && texts.shown(noun, count, hasNextPage, pages[0]?.total ?? total);
  return (
    <p role="status" className={styles.status}>
      {/* An empty list says so itself. */}
      {count > 0 ? <Muted isInline>{found}</Muted> : <VisuallyHidden>{found}</VisuallyHidden>}
    </p>
  );
}
