import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import * as inputs from '../api/inputs.js';
import type { License } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { CopyButton } from '../shared/copy-button.js';
import { DurationField, durationOf } from '../shared/duration-field.js';
import { Form } from '../shared/form.js';
import { Time } from '../shared/time.js';
import { texts } from '../texts.js';
import { Key } from './license-key.js';
import { reissue } from './license-writes.js';

interface Props {
  readonly license: License;
  readonly onClose: () => void;
}

type Reissued = Awaited<ReturnType<typeof reissue>>;

/** Replaces a license, and then shows the key of the new one. */
export function ReissueForm({ license, onClose }: Props) {
  const [reissued, setReissued] = useState<Reissued | null>(null);
  const write = useWrite(
    (body: { duration?: number }, key) => reissue(license._id, body, key),
    setReissued,
  );
  if (reissued) return <NewKey reissued={reissued} onClose={onClose} />;
  const isExpired = license.status === 'EXPIRED';
  return (
    <Form
      write={write}
      submit={texts.reissue.action}
      onCancel={onClose}
      isDangerous
      onSubmit={(fields) => write.submit(isExpired ? { duration: durationOf(fields) } : {})}
    >
      <p>{texts.reissue.consequence}</p>
      {isExpired ? (
        <DurationField limits={inputs.reissueLicense.duration} />
      ) : (
        <p>
          {texts.reissue.keeps}{' '}
          {license.expiresAt !== null && (
            <>
              {texts.reissue.keepsEnd} <Time at={license.expiresAt} withTime={false} />.
            </>
          )}
        </p>
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
        <button type="button" onClick={onClose}>
          {texts.close}
        </button>
        <Link to="/licenses/$id" params={{ id: license._id }} className="button" onClick={onClose}>
          {texts.reissue.open}
        </Link>
        <CopyButton label={texts.licenses.copyKey} text={async () => license.key} isPrimary />
      </div>
    </>
  );
}
