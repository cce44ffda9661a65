import * as inputs from '../api/inputs.js';
import type { License } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { DialogButton } from '../shared/dialog-button.js';
import { DurationField, durationOf } from '../shared/duration-field.js';
import { Form } from '../shared/form.js';
import { notify } from '../shared/notices.js';
import { texts } from '../texts.js';
import { renew } from './license-writes.js';

interface Props {
  readonly license: License;
  readonly className?: string;
}

export function RenewLicense({ license, className }: Props) {
  return (
    <DialogButton
      operation="renewLicense"
      label={texts.renew.action}
      title={texts.renew.title}
      className={className}
    >
      {(close) => <RenewForm license={license} onClose={close} />}
    </DialogButton>
  );
}

function RenewForm({ license, onClose }: Props & { readonly onClose: () => void }) {
  const write = useWrite(
    (body: { duration: number }, key) => renew(license._id, body, key),
    ({ message }) => {
      onClose();
      notify(message);
    },
  );
  return (
    <Form
      write={write}
      submit={texts.renew.action}
      onCancel={onClose}
      onSubmit={(fields) => write.submit({ duration: durationOf(fields) })}
    >
      <DurationField
        limits={inputs.renewLicense.duration}
        initial={license.duration ?? undefined}
      />
      <p>
        {license.status === 'EXPIRED' ? texts.renew.expired : texts.renew.active} {texts.renew.undo}
      </p>
    </Form>
  );
}
