import { useState } from 'react';
import * as inputs from '../api/inputs.js';
import type { License } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { DurationField, durationOf } from '../shared/duration-field.js';
import { Form } from '../shared/form.js';
import { Time } from '../shared/time.js';
import { texts } from '../texts.js';
import { reissue } from './license-writes.js';
import { NewKey } from './new-key.js';
import { daysUntil } from './renewal.js';

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
  if (reissued) {
    const { certificateExpiresAt: end } = reissued;
    return (
      <NewKey {...reissued} open={texts.reissue.open} onClose={onClose}>
        {end !== null && (
          <p>
            {texts.reissue.certificateEnds} <Time at={end} />
          </p>
        )}
      </NewKey>
    );
  }
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
          {license.status === 'ACTIVE' &&
            license.expiresAt !== null &&
            `${texts.reissue.keepsRest} ${texts.term({ duration: null, days: daysUntil(license.expiresAt) })}.`}
        </p>
      )}
    </Form>
  );
}
