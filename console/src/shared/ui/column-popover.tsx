import { Check } from 'lucide-react';
import { MenuItem } from 'react-aria-components';
import styles from './action-menu.module.css';
import type { ColumnChoice } from './column-menu.js';
import { type OpenMenu, PopoverMenu } from './popover-menu.js';

/** The open menu of columns. */
export const ColumnPopover = ({ columns, shown, onChoose, ...menu }: ColumnChoice & OpenMenu) => (
  <PopoverMenu
    {...menu}
    selectionMode="multiple"
    disallowEmptySelection
    selectedKeys={shown.map(({ name }) => name)}
    onSelectionChange={(keys) =>
      onChoose(
        Object.fromEntries(columns.map(({ name }) => [name, keys === 'all' || keys.has(name)])),
      )
    }
  >
    {columns.map(({ name }) => (
      <MenuItem key={name} id={name} className={styles.item}>
        {({ isSelected }) => (
          <>
            <Check size={16} aria-hidden visibility={isSelected ? 'visible' : 'hidden'} />
            {name}
          </>
        )}
      </MenuItem>
    ))}
  </PopoverMenu>
);
