import type { Member } from '../api/types.js';
import { type Action, ActionMenu } from '../shared/ui/action-menu.js';
import { texts } from '../texts.js';
import { ChangeRole } from './change-role.js';
import { InviteAgain } from './invite-member.js';
import { RemoveMember } from './remove-member.js';
import { team as names } from './team-texts.js';
import { useIsSelf } from './use-is-self.js';

/** The menu of a member. Nobody can remove the owner, and nobody can remove themselves. */
export function MemberMenu({ member }: { readonly member: Member }) {
  const isSelf = useIsSelf(member);
  if (member.role === 'owner' || isSelf) return null;
  const label = texts.actionsFor(member.name ?? member.email);
  return <ActionMenu label={label} actions={actionsOf(member)} />;
}

function actionsOf(member: Member): Action[] {
  const name = member.name ?? member.email;
  const isInvited = member.status === 'invited';
  const { action, title } = names[isInvited ? 'withdrawal' : 'removal'];
  return [
    ...(isInvited ? [inviteAgain(member)] : []),
    {
      label: names.change,
      operation: 'updateMember',
      dialog: {
        title: names.changeTitle(name),
        content: (close) => <ChangeRole member={member} onClose={close} />,
      },
    },
    {
      label: action,
      operation: 'removeMember',
      dialog: {
        title: title(name),
        content: (close) => <RemoveMember member={member} onClose={close} />,
      },
    },
  ];
}

const inviteAgain = (member: Member): Action => ({
  label: names.inviteAgain,
  operation: 'inviteMember',
  dialog: {
    title: names.inviteAgainTitle(member.email),
    content: (close) => <InviteAgain member={member} onClose={close} />,
  },
});
