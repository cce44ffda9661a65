import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import * as inputs from '../api/inputs.js';
import type { License } from '../api/types.js';
import { useMay } from '../api/use-may.js';
import { useWrite } from '../api/use-write.js';
import { CopyButton } from '../shared/copy-button.js';
import { Dialog } from '../shared/dialog.js';
import { DurationField, durationOf } from '../shared/duration-field.js';
import { TextField } from '../shared/fields.js';
import { Form, textOf } from '../shared/form.js';
import { Time } from '../shared/time.js';
import { texts } from '../texts.js';
import { Key } from './license-key.js';
import { reissue } from './license-writes.js';

interface Props {
  readonly license: License;
}

type Reissued = Awaited<ReturnType<typeof reissue>>;

/** Replaces a license, and then shows the key of the new one, although this one is revoked by then. */
export function ReissueLicense({ license }: Props) {
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const [reissued, setReissued] = useState<Reissued | null>(null);
  const close = () => {
    setOpen(false);
    setReissued(null);
  };
  const { status } = license;
  const isOffered = status !== 'REVOKED' && status !== 'SUSPENDED' && may('reissueLicense');
  return (
    <>
      {isOffered && (
        <button type="button" onClick={() => setOpen(true)}>
          {texts.reissue.action}
        </button>
      )}
      {isOpen && (
        <Dialog
          key={String(reissued !== null)}
          title={reissued ? texts.reissue.done : texts.reissue.title}
          onClose={close}
        >
          {reissued ? (
            <NewKey reissued={reissued} onClose={close} />
          ) : (
            <ReissueForm license={license} onDone={setReissued} onCancel={close} />
          )}
        </Dialog>
      )}
    </>
  );
}

interface FormProps extends Props {
  readonly onDone: (reissued: Reissued) => void;
  readonly onCancel: () => void;
}

function ReissueForm({ license, onDone, onCancel }: FormProps) {
  const write = useWrite(
    (body: { duration?: number }, key) => reissue(license._id, body, key),
    onDone,
  );
  return (
    <Form
      write={write}
      submit={texts.reissue.action}
      onCancel={onCancel}
      isDangerous
      onSubmit={(fields) =>
        write.submit(textOf(fields, 'duration') ? { duration: durationOf(fields) } : {})
      }
    >
      <p>{texts.reissue.consequence}</p>
      {license.status === 'EXPIRED' ? (
        <DurationField limits={inputs.reissueLicense.duration} />
      ) : (
        <TextField
          label={texts.duration}
          hint={texts.reissue.durationHint}
          {...inputs.reissueLicense.duration}
        />
      )}
    </Form>
  );
}

interface NewKeyProps {
  readonly reissued: Reissued;
  readonly onClose: () => void;
}

function NewKey({ reissued: { message, license, certificateExpiresAt }, onClose }: NewKeyProps) {
  return (
    <>
      <p role="status">{message}</p>
      <Key value={license.key} />
      {certificateExpiresAt !== null && (
        <p>
          {texts.reissue.certificateEnds} <Time at={certificateExpiresAt} />
        </p>
      )}
      <div className="actions">
        <CopyButton label={texts.licenses.copyKey} text={async () => license.key} />
        <button type="button" onClick={onClose}>
          {texts.close}
        </button>
        <Link to="/licenses/$id" params={{ id: license._id }} className="button" onClick={onClose}>
          {texts.reissue.open}
        </Link>
      </div>
    </>
  );
}
