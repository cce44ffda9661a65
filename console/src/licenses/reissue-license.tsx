import { useState } from 'react';
import * as inputs from '../api/inputs.js';
import type { License } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { DurationField, durationOf } from '../shared/duration-field.js';
import { Checkbox } from '../shared/fields.js';
import { Form } from '../shared/form.js';
import { Time } from '../shared/time.js';
import { reissue as names } from './license-texts.js';
import { reissue } from './license-writes.js';
import { NewKey } from './new-key.js';
import { daysUntil } from './renewal.js';

interface Props {
  readonly license: License;
  readonly onClose: () => void;
}

type Body = Parameters<typeof reissue>[1];
type Reissued = Awaited<ReturnType<typeof reissue>>;

const { duration, keepMachines } = inputs.reissueLicense;

/** Replaces a license, then shows the new key. */
export function ReissueForm({ license, onClose }: Props) {
  const [reissued, setReissued] = useState<Reissued | null>(null);
  const [isKept, setKept] = useState(false);
  const write = useWrite((body: Body, key) => reissue(license._id, body, key), setReissued);
  if (reissued) {
    const { certificateExpiresAt: end } = reissued;
    return (
      <NewKey {...reissued} message={names.done} open={names.open} onClose={onClose}>
        {end !== null && (
          <p>
            {names.certificateEnds} <Time at={end} />
          </p>
        )}
      </NewKey>
    );
  }
  const needsTerm = license.status === 'EXPIRED' && !isKept;
  const bodyOf = (fields: FormData): Body => {
    if (isKept) return { keepMachines: true };
    return needsTerm ? { duration: durationOf(fields) } : {};
  };
  return (
    <Form
      write={write}
      submit={names.action}
      onCancel={onClose}
      isDangerous
      onSubmit={(fields) => write.submit(bodyOf(fields))}
    >
      <p>{names.consequence}</p>
      {license.status !== 'PENDING' && (
        <Checkbox
          label={names.keepMachines}
          name={keepMachines.name}
          onChange={({ target }) => setKept(target.checked)}
        />
      )}
      <p role="status">{effectOf(license, isKept)}</p>
      {needsTerm && <DurationField limits={duration} />}
    </Form>
  );
}

/** The effect on installed apps and on the term. */
function effectOf({ status, expiresAt }: License, isKept: boolean): string {
  if (status === 'PENDING') return names.pending;
  if (isKept) return status === 'EXPIRED' ? `${names.kept} ${names.keptExpired}` : names.kept;
  if (status === 'EXPIRED' || expiresAt === null) return names.notKept;
  return `${names.notKept} ${names.rest(daysUntil(expiresAt))}`;
}
