import { MenuItem } from 'react-aria-components';
import type { Action } from './action-menu.js';
import styles from './action-menu.module.css';
import { type OpenMenu, PopoverMenu } from './popover-menu.js';

interface Props extends OpenMenu {
  readonly actions: readonly Action[];
  readonly onChoose: (action: Action) => void;
}

/** The open menu of actions. */
export const MenuPopover = ({ actions, onChoose, ...menu }: Props) => (
  <PopoverMenu {...menu}>
    {actions.map((action) => (
      <MenuItem key={action.label} className={styles.item} onAction={() => onChoose(action)}>
        {action.label}
      </MenuItem>
    ))}
  </PopoverMenu>
);
