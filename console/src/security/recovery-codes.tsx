import { useState } from 'react';
import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import { useWrite } from '../api/use-write.js';
import { Dialog, preloadDialogs } from '../shared/dialog.js';
import { Form } from '../shared/form.js';
import { Muted } from '../shared/ui/muted.js';
import { Panel, PanelHead } from '../shared/ui/panel.js';
import { recoveryCodes as names } from './security-texts.js';
import { ShownCodes } from './shown-codes.js';

interface Props {
  readonly left: number;
  readonly hasFactor: boolean;
}

/** The number of recovery codes left, and a button for new ones. */
export function RecoveryCodes({ left, hasFactor }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel label={names.title}>
      <PanelHead title={names.title}>
        {hasFactor && (
          <button type="button" onPointerEnter={preloadDialogs} onClick={() => setOpen(true)}>
            {names.renew}
          </button>
        )}
      </PanelHead>
      <Muted>{names.details}</Muted>
      <p>{hasFactor ? names.left(left) : names.needsFactor}</p>
      {isOpen && <Renewal onClose={() => setOpen(false)} />}
    </Panel>
  );
}

function Renewal({ onClose }: { readonly onClose: () => void }) {
  const renew = useWrite(() => bodyOf(api.POST('/auth/factors/recovery-codes')));
  const codes = renew.data?.recoveryCodes;
  return (
    <Dialog title={codes ? names.shownTitle : names.renewTitle} onClose={onClose}>
      {codes ? (
        <ShownCodes codes={codes} onClose={onClose} />
      ) : (
        <Form
          write={renew}
          submit={names.renew}
          onCancel={onClose}
          onSubmit={() => renew.submit(undefined)}
        >
          <p>{names.renewDetails}</p>
        </Form>
      )}
    </Dialog>
  );
}
