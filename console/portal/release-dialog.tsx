import { useState } from 'react';
import { ErrorNote } from '../src/shared/error-note.js';
import buttons from '../src/shared/ui/button.module.css';
import { Foot } from '../src/shared/ui/foot.js';
import { ModalDialog } from '../src/shared/ui/modal-dialog.js';
import { nameOf } from './license-card.js';
import type { CustomerLicense, CustomerMachine } from './requests.js';
import { texts } from './texts.js';

interface Props {
  readonly license: CustomerLicense;
  readonly machine: CustomerMachine;
  readonly offlineDays: number;
  readonly run: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Explains what a release does and asks for confirmation. */
export function ReleaseDialog({ license, machine, offlineDays, run, onClose }: Props) {
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const release = async () => {
    if (isPending) return;
    setPending(true);
    setError(null);
    await run().catch((cause: Error) => {
      setError(cause);
      setPending(false);
    });
  };
  return (
    <ModalDialog title={texts.releaseTitle(nameOf(machine))} onClose={onClose}>
      <p>{texts.releaseEffect}</p>
      <p>{texts.offline(offlineDays)}</p>
      <p>{texts.left(license.releasesLeft)}</p>
      <Foot notes={error && <ErrorNote error={error} />}>
        <button type="button" autoFocus onClick={onClose}>
          {texts.cancel}
        </button>
        <button
          type="button"
          className={buttons.primary}
          aria-disabled={isPending}
          onClick={() => void release()}
        >
          {texts.release}
        </button>
      </Foot>
    </ModalDialog>
  );
}
