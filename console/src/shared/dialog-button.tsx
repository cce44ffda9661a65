import type { ReactNode } from 'react';
import { type Operation, useMay } from '../api/use-may.js';
import { Dialog, preloadDialogs, useOpenDialog } from './dialog.js';

interface Props {
  readonly label: ReactNode;
  /** Tells buttons with the same label apart. */
  readonly name?: string | undefined;
  readonly title: string;
  /** The operation that its dialog submits. */
  readonly operation: Operation;
  readonly className?: string | undefined;
  /** The content of the dialog. It restarts each time the dialog opens. */
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens a dialog. It is hidden from users who may not submit it. */
export function DialogButton({ label, name, title, operation, className, children }: Props) {
  const may = useMay();
  const [opened, open] = useOpenDialog([{ title }]);
  const close = () => open(null);
  if (!may(operation)) return null;
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={name}
        onPointerEnter={preloadDialogs}
        onFocus={preloadDialogs}
        onClick={() => open({ title })}
      >
        {label}
      </button>
      {opened && (
        <Dialog title={title} onClose={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  );
}
