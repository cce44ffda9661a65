import { Columns3 } from 'lucide-react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { texts } from '../../texts.js';
import styles from './action-menu.module.css';

interface Column {
  readonly id: string;
  readonly getIsVisible: () => boolean;
  readonly toggleVisibility: (isVisible: boolean) => void;
}

/** Chooses the columns of a table. */
export function ColumnMenu({ columns }: { readonly columns: readonly Column[] }) {
  const shown = columns.filter((column) => column.getIsVisible()).map(({ id }) => id);
  return (
    <MenuTrigger>
      <Button aria-label={texts.table.columns} className={styles.dots}>
        <Columns3 size={16} aria-hidden />
      </Button>
      <Popover placement="bottom end" className={styles.popover}>
        <Menu
          className={styles.menu}
          selectionMode="multiple"
          disallowEmptySelection
          selectedKeys={shown}
          onSelectionChange={(keys) =>
            columns.forEach((column) =>
              column.toggleVisibility(keys === 'all' || keys.has(column.id)),
            )
          }
        >
          {columns.map(({ id }) => (
            <MenuItem key={id} id={id} className={styles.item}>
              {({ isSelected }) => (
                <>
                  <span aria-hidden>{isSelected ? '✓' : ' '}</span> {id}
                </>
              )}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
