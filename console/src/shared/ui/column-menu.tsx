import { Check, Columns3 } from 'lucide-react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { texts } from '../../texts.js';
import styles from './action-menu.module.css';

interface Column {
  readonly name: string;
}

interface Props {
  readonly columns: readonly Column[];
  readonly shown: readonly Column[];
  readonly onChoose: (choices: Readonly<Record<string, boolean>>) => void;
}

/** Chooses the columns of a table. */
export const ColumnMenu = ({ columns, shown, onChoose }: Props) => (
  <MenuTrigger>
    <Button aria-label={texts.table.columns} className={styles.dots}>
      <Columns3 size={16} aria-hidden />
    </Button>
    <Popover placement="bottom end" className={styles.popover}>
      <Menu
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
  </MenuTrigger>
);
