import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import type { MailObstacle } from '../api/types.js';
import { accountQuery } from '../api/use-may.js';
import { ConfirmationButton } from '../shared/confirmation.js';
import { Actions } from '../shared/ui/actions.js';
import { Panel } from '../shared/ui/panel.js';
import { blocked as names } from './mail-texts.js';

/** Explains why customers get no mail, and lets the owner confirm their address if that is the reason. */
export function MailBlocked({ by }: { readonly by: MailObstacle }) {
  const { data } = useQuery(accountQuery);
  const isOwner = by === 'unconfirmed_owner' && data?.role === 'owner';
  return (
    <Panel label={names.title}>
      <h2>{names.title}</h2>
      <p role="note">{isOwner ? names.unconfirmed(data.email) : names.reasons[by]}</p>
      {isOwner && (
        <Actions>
          <ConfirmationButton
            operation="changeEmail"
            label={names.send}
            title={names.confirm}
            details={names.confirmDetails(data.email)}
            run={(key) => sendLink(data.email, key)}
            done={names.sent(data.email)}
          />
        </Actions>
      )}
    </Panel>
  );
}

const sendLink = (email: string, key: string) => {
  const params = { header: { 'Idempotency-Key': key } };
  return bodyOf(api.POST('/auth/email', { params, body: { email } }));
};
