import { useState } from 'react';
import * as inputs from '../api/inputs.js';
import type { License } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { DurationField, durationOf } from '../shared/duration-field.js';
import { Form } from '../shared/form.js';
import { notify } from '../shared/notices.js';
import { Time } from '../shared/time.js';
import { texts } from '../texts.js';
import { hintOf } from './license-name.js';
import { suspension } from './license-texts.js';
import { renew } from './license-writes.js';
import { endAfterRenewal, hasEnded } from './renewal.js';

interface Props {
  readonly license: License;
  readonly onClose: () => void;
}

/** Renews a license. Shows the expiry date before and after. */
export function RenewForm({ license, onClose }: Props) {
  const { min, max } = inputs.renewLicense.duration;
  const [months, setMonths] = useState(license.duration ?? max);
  const write = useWrite(
    (body: { duration: number }, key) => renew(license._id, body, key),
    () => {
      onClose();
      notify(texts.renew.done(hintOf(license)));
    },
  );
  const isPossible = months >= min && months <= max;
  const now = new Date();
  const end = isPossible ? endAfterRenewal(license, months, now) : null;
  const { ended, active, again, undo } = texts.renew;
  return (
    <Form
      write={write}
      submit={texts.renew.action}
      onCancel={onClose}
      onSubmit={(fields) => write.submit({ duration: durationOf(fields) })}
    >
      <DurationField
        limits={inputs.renewLicense.duration}
        initial={months}
        onChange={({ target }) => setMonths(Number(target.value))}
      />
      {license.expiresAt !== null && end && (
        <p role="status">
          {texts.licenses.expires}: <Time at={license.expiresAt} withTime={false} /> →{' '}
          <strong>
            <Time at={end.toISOString()} withTime={false} />
          </strong>
        </p>
      )}
      <p>
        {hasEnded(license, now) ? ended : active} {license.status === 'EXPIRED' && again}
        {license.status === 'SUSPENDED' && suspension.stays} {undo}
      </p>
    </Form>
  );
}
