import { useState } from 'react';
import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import type { Factors } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { Badge } from '../shared/badge.js';
import { CopyButton } from '../shared/copy-button.js';
import { Dialog, preloadDialogs } from '../shared/dialog.js';
import { ErrorNote } from '../shared/error-note.js';
import { TextField } from '../shared/fields.js';
import { Form, textOf } from '../shared/form.js';
import { KeyLine } from '../shared/key-line.js';
import { notify } from '../shared/notices.js';
import { Time } from '../shared/time.js';
import { Muted } from '../shared/ui/muted.js';
import { Panel, PanelHead } from '../shared/ui/panel.js';
import { Waiting } from '../shared/waiting.js';
import { QrCode } from './qr-code.js';
import { RemoveFactor } from './remove-factor.js';
import styles from './security.module.css';
import { authenticator as names, recoveryCodes } from './security-texts.js';
import { ShownCodes } from './shown-codes.js';

interface Setup {
  readonly secret: string;
  readonly uri: string;
}

/** The authenticator app. */
export function Authenticator({
  totp: { enabled, createdAt },
}: {
  readonly totp: Factors['totp'];
}) {
  const [setup, setSetup] = useState<Setup | null>(null);
  const start = useWrite(() => bodyOf(api.POST('/auth/factors/totp')), setSetup);
  return (
    <Panel label={names.title}>
      <PanelHead title={names.title}>
        <Badge look={enabled ? 'active' : 'suspended'}>{enabled ? names.on : names.off}</Badge>
        {enabled ? (
          <RemoveFactor id="totp" name={names.title} />
        ) : (
          <button
            type="button"
            aria-disabled={start.isPending}
            onPointerEnter={preloadDialogs}
            onClick={() => start.isPending || start.submit(undefined)}
          >
            {names.setUp}
          </button>
        )}
      </PanelHead>
      <Muted>{names.details}</Muted>
      <Waiting wait={start.wait} onStop={start.cancel} />
      {start.error && <ErrorNote error={start.error} />}
      {createdAt && (
        <p>
          {names.since} <Time at={createdAt} withTime={false} />
        </p>
      )}
      {setup && <SetUpDialog setup={setup} onClose={() => setSetup(null)} />}
    </Panel>
  );
}

interface DialogProps {
  readonly setup: Setup;
  readonly onClose: () => void;
}

function SetUpDialog({ setup: { secret, uri }, onClose }: DialogProps) {
  const confirm = useWrite(
    (code: string) => bodyOf(api.POST('/auth/factors/totp/confirm', { body: { code } })),
    (added) => {
      if (added.recoveryCodes) return;
      onClose();
      notify(names.added);
    },
  );
  const codes = confirm.data?.recoveryCodes;
  if (codes) {
    return (
      <Dialog title={recoveryCodes.shownTitle} onClose={onClose}>
        <ShownCodes codes={codes} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title={names.setUpTitle} onClose={onClose}>
      <Form
        write={confirm}
        submit={names.turnOn}
        onCancel={onClose}
        onSubmit={(fields) => confirm.submit(textOf(fields, 'code'))}
      >
        <p>{names.scan}</p>
        <div className={styles.setup}>
          <QrCode label={names.qrCode} text={uri} />
          <div className={styles.key}>
            <KeyLine name={names.key} text={secret} />
            <CopyButton label={names.copyKey} text={async () => secret} />
          </div>
        </div>
        <TextField
          label={names.code}
          name="code"
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={10}
        />
      </Form>
    </Dialog>
  );
}
