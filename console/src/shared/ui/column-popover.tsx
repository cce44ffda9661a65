import { Check } from 'lucide-react';
import type { RefObject } from 'react';
import { Menu, MenuItem, Popover } from 'react-aria-components';
import styles from './action-menu.module.css';
import type { ColumnChoice } from './column-menu.js';

interface Props extends ColumnChoice {
  /** The id of the button, which names the menu. */
  readonly label: string;
  readonly trigger: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
}

/** The open menu of columns. */
export const ColumnPopover = ({ columns, shown, onChoose, label, trigger, onClose }: Props) => (
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
    </Menu>
  </Popover>
);
