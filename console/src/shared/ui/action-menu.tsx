import { lazy, type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react';
import { type Operation, useMay } from '../../api/use-may.js';
import { Dialog, useOpenDialog } from '../dialog.js';
import styles from './action-menu.module.css';

/** An action on a record. */
export interface Action {
  readonly label: string;
  /** Users who may not call it don't see the action. */
  readonly operation: Operation;
  /** The dialog that it opens. */
  readonly dialog: {
    readonly title: string;
    readonly content: (close: () => void) => ReactNode;
  };
}

interface Props {
  /** The record's name, which tells the menus of a list apart. */
  readonly label?: string;
  readonly actions: readonly Action[];
  /** Shown instead of three dots. */
  readonly children?: ReactNode;
}

const load = () => import('./menu-popover.js');
const preload = () => void load().catch(() => undefined);
const MenuPopover = lazy(async () => ({ default: (await load()).MenuPopover }));

/**
 * A button with a menu. A list has a hundred of them, so each menu is created only when it opens.
 * Irreversible actions come last.
 */
export function ActionMenu({ label, actions, children }: Props) {
  const id = useId();
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const [chosen, choose] = useOpenDialog(actions.map(({ dialog }) => dialog));
  const offered = actions.filter(({ operation }) => may(operation));
  const trigger = useFocusAfter(chosen === null);
  return (
    <>
      {offered.length > 0 && (
        <button
          ref={trigger}
          id={id}
          type="button"
          aria-label={label}
          aria-haspopup="menu"
          aria-expanded={isOpen}
          className={children ? undefined : styles.dots}
          onPointerEnter={preload}
          onFocus={preload}
          onClick={() => setOpen(true)}
        >
          {children}
        </button>
      )}
      {isOpen && (
        <Suspense fallback={null}>
          <MenuPopover
            label={id}
            trigger={trigger}
            actions={offered}
            onChoose={({ dialog }) => choose(dialog)}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
      {/* The dialog stays open even if the action becomes impossible, such as after a revocation. */}
      {chosen && (
        <Dialog title={chosen.title} onClose={() => choose(null)}>
          {chosen.content(() => choose(null))}
        </Dialog>
      )}
    </>
  );
}

/** The button that gets the focus when the dialog closes, because the menu is gone by then. */
function useFocusAfter(isClosed: boolean) {
  const trigger = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (isClosed && wasOpen.current) trigger.current?.focus();
    wasOpen.current = !isClosed;
  }, [isClosed]);
  return trigger;
}
