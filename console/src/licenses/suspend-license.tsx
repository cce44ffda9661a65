import type { License } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { DialogButton } from '../shared/dialog-button.js';
import { Form } from '../shared/form.js';
import { notify } from '../shared/notices.js';
import { suspension } from './license-texts.js';
import { resume, suspend } from './license-writes.js';

interface Props {
  readonly license: License;
}

/** Suspends a license, or resumes one that is suspended. */
export function SuspendLicense({ license }: Props) {
  const names = license.status === 'SUSPENDED' ? suspension.resume : suspension.suspend;
  return (
    <DialogButton operation="suspendLicense" label={names.action} title={names.title}>
      {(close) => <SuspendForm license={license} onClose={close} />}
    </DialogButton>
  );
}

function SuspendForm({ license, onClose }: Props & { readonly onClose: () => void }) {
  const isSuspended = license.status === 'SUSPENDED';
  const names = isSuspended ? suspension.resume : suspension.suspend;
  const write = useWrite(
    (_input: undefined, key) => (isSuspended ? resume : suspend)(license._id, key),
    ({ message }) => {
      onClose();
      notify(message);
    },
  );
  return (
    <Form
      write={write}
      submit={names.action}
      onCancel={onClose}
      onSubmit={() => write.submit(undefined)}
    >
      <p>{names.consequence}</p>
    </Form>
  );
}
