import { texts } from '../texts.js';

interface Props {
  readonly query: {
    readonly isPlaceholderData: boolean;
    readonly hasNextPage: boolean;
  };
  /** How many rows are shown. */
  readonly count: number | undefined;
}

/** Has assistive technology say how many rows a search or a filter has found. */
export function ListStatus({ query: { isPlaceholderData, hasNextPage }, count }: Props) {
  const isRead = count !== undefined && !isPlaceholderData;
  return (
    <p role="status" className="visually-hidden">
      {isRead && texts.shown(count, hasNextPage)}
    </p>
  );
}
