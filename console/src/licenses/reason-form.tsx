import * as inputs from '../api/inputs.js';
import { useWrite } from '../api/use-write.js';
import { TextField } from '../shared/fields.js';
import { Form, textOf } from '../shared/form.js';
import { notify } from '../shared/notices.js';
import { texts } from '../texts.js';

/** Why a license is suspended or revoked. */
export const ReasonField = () => (
  <TextField
    label={texts.revoke.reason}
    hint={texts.revoke.reasonHint}
    {...inputs.revokeLicense.reason}
    autoComplete="off"
  />
);

export function reasonOf(fields: FormData): { readonly reason?: string } {
  const reason = textOf(fields, 'reason');
  return reason ? { reason } : {};
}

interface Props {
  readonly submit: string;
  readonly consequence: string;
  readonly isDangerous?: boolean;
  readonly run: (body: { readonly reason?: string }, key: string) => Promise<unknown>;
  readonly done: string;
  readonly onClose: () => void;
}

/** Suspends or revokes a license. */
export function ReasonForm({ submit, consequence, isDangerous, run, done, onClose }: Props) {
  const write = useWrite(run, () => {
    onClose();
    notify(done);
  });
  return (
    <Form
      write={write}
      submit={submit}
      onCancel={onClose}
      isDangerous={isDangerous === true}
      onSubmit={(fields) => write.submit(reasonOf(fields))}
    >
      <p>{consequence}</p>
      <ReasonField />
    </Form>
  );
}
