import { useEffect, useRef } from 'react';
import { texts } from '../texts.js';
import styles from './show-more.module.css';

interface Props {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}

/** Loads the next page of the list above it and moves the focus to the first new row. */
export function ShowMore({ query: { hasNextPage, isFetchingNextPage, fetchNextPage } }: Props) {
  const place = useRef<HTMLParagraphElement>(null);
  const lastRow = useRef<Element>(undefined);
  useEffect(() => {
    if (isFetchingNextPage) return;
    const firstNew = lastRow.current?.nextElementSibling;
    lastRow.current = undefined;
    if (!(firstNew instanceof HTMLElement) || firstNew === place.current) return;
    firstNew.tabIndex = -1;
    firstNew.focus();
  }, [isFetchingNextPage]);
  if (!hasNextPage) return null;
  const showMore = () => {
    lastRow.current = lastRowBefore(place.current);
    fetchNextPage();
  };
  return (
    <p ref={place} className={styles.more}>
      <button type="button" aria-busy={isFetchingNextPage} onClick={showMore}>
        {isFetchingNextPage ? texts.loading : texts.showMore}
      </button>
    </p>
  );
}

/** The last row before a position, or the element there if it has no rows. */
function lastRowBefore(place: Element | null): Element | undefined {
  const list = place?.previousElementSibling;
  const rows = 'tbody > tr:last-child, :scope > li:last-child';
  return list?.querySelector(rows) ?? list ?? undefined;
}
