import { type ReactNode, useState } from 'react';
import { type Operation, useMay } from '../api/use-may.js';
import { texts } from '../texts.js';
import { CopyButton } from './copy-button.js';
import { Dialog, useIsOpen } from './dialog.js';

interface Shown {
  /** What the service shows once. */
  readonly text: string;
  readonly details: string;
}

interface Props {
  readonly label: string;
  readonly title: string;
  /** What its dialog submits. */
  readonly operation: Operation;
  readonly className?: string | undefined;
  /** The texts of the dialog that shows it. */
  readonly names: { readonly title: string; readonly text: string; readonly copy: string };
  /** The form of the dialog. */
  readonly children: (show: (shown: Shown) => void, close: () => void) => ReactNode;
}

/** A button that opens a dialog with a form, after which the dialog shows what the service shows once. */
export function ShowOnceButton({ label, title, operation, className, names, children }: Props) {
  const may = useMay();
  const [isOpen, setOpen] = useIsOpen(title);
  const [shown, setShown] = useState<Shown | null>(null);
  const close = () => {
    setOpen(false);
    setShown(null);
  };
  if (!may(operation)) return null;
  return (
    <>
      <button type="button" className={className} onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && !shown && (
        <Dialog title={title} onClose={close}>
          {children(setShown, close)}
        </Dialog>
      )}
      {shown && (
        <Dialog title={names.title} onClose={close}>
          <p role="status">{shown.details}</p>
          <p className="key">
            <output aria-label={names.text}>{shown.text}</output>
          </p>
          <div className="actions">
            <CopyButton label={names.copy} text={async () => shown.text} />
            <button type="button" className="primary" onClick={close}>
              {texts.close}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
