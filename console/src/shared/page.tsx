import { type ReactNode, useEffect, useRef } from 'react';
import { texts } from '../texts.js';
import { Actions } from './ui/actions.js';
import styles from './page.module.css';

/** The URL whose heading last had the focus; undefined until the first page. */
let focused: string | undefined;

interface Props {
  readonly title: string;
  readonly children: ReactNode;
  /** Shown above the heading. */
  readonly trail?: ReactNode;
  /** Shown next to the heading. */
  readonly status?: ReactNode;
  /** The buttons of the page. */
  readonly actions?: ReactNode;
}

/** A page with a title and a heading. The heading gets the focus on navigation. */
export function Page({ title, children, trail, status, actions }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const { pathname } = location;
    if (focused !== undefined && focused !== pathname) heading.current?.focus();
    focused = pathname;
  }, []);
  return (
    <>
      <title>{texts.titleOf(title)}</title>
      {trail}
      <header className={styles.head}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {status}
        {actions && (
          <div className={styles.actions}>
            <Actions>{actions}</Actions>
          </div>
        )}
      </header>
      {children}
    </>
  );
}
