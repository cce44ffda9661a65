import { Columns3 } from 'lucide-react';
import { lazy, Suspense, useId, useRef, useState } from 'react';
import { texts } from '../../texts.js';
import styles from './action-menu.module.css';

interface Column {
  readonly name: string;
}

export interface ColumnChoice {
  readonly columns: readonly Column[];
  readonly shown: readonly Column[];
  readonly onChoose: (choices: Readonly<Record<string, boolean>>) => void;
}

const load = () => import('./column-popover.js');
const preload = () => void load().catch(() => undefined);
const ColumnPopover = lazy(async () => ({ default: (await load()).ColumnPopover }));

/** Chooses the columns of a table. The code of its menu loads when the pointer reaches the button. */
export function ColumnMenu(choice: ColumnChoice) {
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        ref={trigger}
        id={id}
        type="button"
        aria-label={texts.table.columns}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        className={styles.dots}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => setOpen(true)}
      >
        <Columns3 size={16} aria-hidden />
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <ColumnPopover {...choice} label={id} trigger={trigger} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
