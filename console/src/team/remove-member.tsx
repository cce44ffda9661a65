import { ApiError } from '../api/api-error.js';
import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import type { Member } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { DialogButton } from '../shared/dialog-button.js';
import { Form } from '../shared/form.js';
import { notify } from '../shared/notices.js';
import { team as names } from './team-texts.js';

interface Props {
  readonly member: Member;
}

/** Removes a member, or withdraws an invitation. */
export function RemoveMember({ member }: Props) {
  const { action, title } = textsOf(member);
  return (
    <DialogButton
      operation="removeMember"
      label={action}
      title={title(member.name ?? member.email)}
      className="danger-quiet"
    >
      {(close) => <RemoveForm member={member} onClose={close} />}
    </DialogButton>
  );
}

const textsOf = ({ status }: Member) => (status === 'invited' ? names.withdrawal : names.removal);

function RemoveForm({ member, onClose }: Props & { readonly onClose: () => void }) {
  const { action, details } = textsOf(member);
  const remove = useWrite(
    () => removeMember(member._id),
    ({ message, apiKeys }) => {
      onClose();
      const left = apiKeys.map(({ name }) => name).join(', ');
      notify(left ? `${message}. ${names.keysLeft} ${left}` : message);
    },
  );
  return (
    <Form
      write={remove}
      submit={action}
      onCancel={onClose}
      isDangerous
      onSubmit={() => remove.submit(undefined)}
    >
      <p>{details}</p>
    </Form>
  );
}

/** A member that no longer exists was removed by an earlier attempt, whose response was lost. */
async function removeMember(id: string) {
  try {
    return await bodyOf(api.DELETE('/members/{id}', { params: { path: { id } } }));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    return { message: names.removed, apiKeys: [] };
  }
}
