import { type ReactNode, useState } from 'react';
import { type Operation, useMay } from '../api/use-may.js';
import { Dialog, useOpenDialog } from './dialog.js';
import { type Once, type OnceNames, ShownOnce } from './shown-once.js';

interface Props {
  readonly label: string;
  readonly title: string;
  /** The operation that its dialog submits. */
  readonly operation: Operation;
  readonly className?: string | undefined;
  /** The texts of the dialog that shows the secret. */
  readonly names: OnceNames & { readonly title: string };
  /** The form of the dialog. */
  readonly children: (show: (shown: Once) => void, close: () => void) => ReactNode;
}

/** A button that opens a dialog with a form. Afterwards, the dialog shows a secret that the service shows only once. */
export function ShowOnceButton({ label, title, operation, className, names, children }: Props) {
  const may = useMay();
  const [opened, open] = useOpenDialog([{ title }]);
  const [shown, setShown] = useState<Once | null>(null);
  const close = () => {
    open(null);
    setShown(null);
  };
  if (!may(operation)) return null;
  return (
    <>
      <button type="button" className={className} onClick={() => open({ title })}>
        {label}
      </button>
      {opened && (
        <Dialog title={shown ? names.title : title} onClose={close}>
          {shown ? (
            <ShownOnce {...shown} names={names} onClose={close} />
          ) : (
            children(setShown, close)
          )}
        </Dialog>
      )}
    </>
  );
}
