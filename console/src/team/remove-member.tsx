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
export function RemoveMember({ member: { _id, status }, onClose }: Props) {
  const { action, details } = names[status === 'invited' ? 'withdrawal' : 'removal'];
  return (
    <ConfirmationForm
      submit={action}
      details={details}
      isDangerous
      run={() => removeMember(_id)}
      done={(removed) => {
        const { message, apiKeys, webhooks } = removed as Awaited<ReturnType<typeof removeMember>>;
        const left = [...apiKeys.map(({ name }) => name), ...webhooks.map(({ url }) => url)];
        notify(left.length > 0 ? `${message}. ${names.left} ${left.join(', ')}` : message);
      }}
      onClose={onClose}
    />
  );
}

/** A member that no longer exists was removed by an earlier attempt, whose response was lost. */
async function removeMember(id: string) {
  try {
    return await bodyOf(api.DELETE('/members/{id}', { params: { path: { id } } }));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    return { message: names.removed, apiKeys: [], webhooks: [] };
  }
}
