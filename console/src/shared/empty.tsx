import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly details?: string | undefined;
  /** What to do first. */
  readonly children?: ReactNode;
}

/** In place of a list that is empty. */
export function Empty({ title, details, children }: Props) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {details && <p>{details}</p>}
      {children}
    </div>
  );
}
