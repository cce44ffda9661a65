import type { ReactNode } from 'react';
import { type Operation, useMay } from '../api/use-may.js';
import { Dialog, preloadDialogs, useOpenDialog } from './dialog.js';

interface Props {
  readonly label: ReactNode;
  /** Its name among buttons with the same label. */
  readonly name?: string | undefined;
  readonly title: string;
  /** What its dialog submits. */
  readonly operation: Operation;
  readonly className?: string | undefined;
  /** The content of the dialog. It begins anew each time that the dialog opens. */
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens a dialog, for those who may do what the dialog submits. */
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
