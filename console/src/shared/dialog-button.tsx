import { type ReactNode, useState } from 'react';
import { Dialog } from './dialog.js';

interface Props {
  readonly label: string;
  readonly title: string;
  readonly className?: string;
  /** The content of the dialog. It begins anew each time that the dialog opens. */
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens a dialog. */
export function DialogButton({ label, title, className, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" className={className} onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && (
        <Dialog title={title} onClose={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  );
}
