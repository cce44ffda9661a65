import type { RefObject } from 'react';
import { Menu, MenuItem, Popover } from 'react-aria-components';
import type { Action } from './action-menu.js';
import styles from './action-menu.module.css';

interface Props {
  /** The id of the button, which names the menu. */
  readonly label: string;
  readonly trigger: RefObject<HTMLButtonElement | null>;
  readonly actions: readonly Action[];
  readonly onChoose: (action: Action) => void;
  readonly onClose: () => void;
}

/** An open menu. It traps the focus, and returns it to its button when it closes. */
export const MenuPopover = ({ label, trigger, actions, onChoose, onClose }: Props) => (
  <Popover
    isOpen
    onOpenChange={onClose}
    trigger="MenuTrigger"
    triggerRef={trigger}
    placement="bottom end"
    aria-labelledby={label}
    className={styles.popover}
  >
    <Menu aria-labelledby={label} autoFocus="first" onClose={onClose} className={styles.menu}>
      {actions.map((action) => (
        <MenuItem key={action.label} className={styles.item} onAction={() => onChoose(action)}>
          {action.label}
        </MenuItem>
      ))}
    </Menu>
  </Popover>
);
