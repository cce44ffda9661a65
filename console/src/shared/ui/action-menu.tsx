import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import { useEffect, useRef, useState } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { type Operation, useMay } from '../../api/use-may.js';
import { Dialog } from '../dialog.js';
import { hasDraft } from '../drafts.js';
import styles from './action-menu.module.css';

/** What can be done with a record: at once, or in a dialog. */
export interface Action {
  readonly label: string;
  /** Others are not offered it. */
  readonly operation: Operation;
  readonly isDangerous?: boolean;
  /** The dialog that it opens. */
  readonly dialog: {
    readonly title: string;
    readonly content: (close: () => void) => ReactNode;
  };
}

interface Props {
  /** Of which record: tells three dots from those of the other records. */
  readonly label?: string;
  readonly actions: readonly Action[];
  /** In place of three dots. */
  readonly children?: ReactNode;
}

/** A button with a menu. What cannot be undone stands last. */
export function ActionMenu({ label, actions, children }: Props) {
  const may = useMay();
  const [open, setOpen] = useState(
    () => actions.find(({ dialog }) => hasDraft(dialog.title)) ?? null,
  );
  const offered = actions.filter(({ operation }) => may(operation));
  const trigger = useFocusAfter(open === null);
  return (
    <>
      {offered.length > 0 && (
        <MenuTrigger>
          <Button
            ref={trigger}
            {...(!children && { 'aria-label': label })}
            className={children ? '' : styles.dots!}
          >
            {children ?? <Ellipsis size={18} aria-hidden />}
          </Button>
          <Popover placement="bottom end" className={styles.popover}>
            <Menu className={styles.menu}>
              {offered.map((action) => (
                <MenuItem
                  key={action.label}
                  className={action.isDangerous ? `${styles.item} ${styles.danger}` : styles.item!}
                  onAction={() => setOpen(action)}
                >
                  {action.label}
                </MenuItem>
              ))}
            </Menu>
          </Popover>
        </MenuTrigger>
      )}
      {/* A dialog stays open while the action makes itself impossible, such as a revocation. */}
      {open && (
        <Dialog title={open.dialog.title} onClose={() => setOpen(null)}>
          {open.dialog.content(() => setOpen(null))}
        </Dialog>
      )}
    </>
  );
}

/** The button that gets the focus when the dialog has closed: the menu, which had it, is gone by then. */
function useFocusAfter(isClosed: boolean) {
  const trigger = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (isClosed && wasOpen.current) trigger.current?.focus();
    wasOpen.current = !isClosed;
  }, [isClosed]);
  return trigger;
}
