import { ApiError } from '../api/api-error.js';
import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import type { Member } from '../api/types.js';
import { ConfirmationForm } from '../shared/confirmation.js';
import { notify } from '../shared/notices.js';
import { team as names } from './team-texts.js';

interface Props {
  readonly member: Member;
  readonly onClose: () => void;
}

/** Removes a member, or withdraws an invitation. */
export function RemoveMember({ member: { _id, name, email, status }, onClose }: Props) {
  const { action, details, done } = names[status === 'invited' ? 'withdrawal' : 'removal'];
  return (
    <ConfirmationForm
      submit={action}
      details={details}
      isDangerous
      run={() => removeMember(_id)}
      done={(removed) => {
        const { apiKeys, webhooks } = removed as Awaited<ReturnType<typeof removeMember>>;
        const left = [...apiKeys.map((key) => key.name), ...webhooks.map(({ url }) => url)];
        const notice = done(name ?? email);
        notify(left.length > 0 ? `${notice}. ${names.left} ${left.join(', ')}` : notice);
      }}
      onClose={onClose}
    />
  );
}

/** If the member no longer exists, an earlier attempt removed them and its response was lost. */
async function removeMember(id: string) {
  try {
    return await bodyOf(api.DELETE('/members/{id}', { params: { path: { id } } }));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    return { apiKeys: [], webhooks: [] };
  }
}
