import type { RefObject } from 'react';
import { Menu, type MenuProps, Popover } from 'react-aria-components';
import styles from './action-menu.module.css';

/** Where a menu opens. */
export interface OpenMenu {
  /** The id of the button, which names the menu. */
  readonly label: string;
  readonly trigger: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
}

/** An open menu. It traps the focus, and returns it to its button when it closes. */
export const PopoverMenu = ({ label, trigger, onClose, ...menu }: OpenMenu & MenuProps<object>) => (
  <Popover
    isOpen
    onOpenChange={onClose}
    trigger="MenuTrigger"
    triggerRef={trigger}
    placement="bottom end"
    aria-labelledby={label}
    className={styles.popover}
  >
    <Menu
      aria-labelledby={label}
      autoFocus="first"
      onClose={onClose}
      className={styles.menu}
      {...menu}
    />
  </Popover>
);
