import type { Member, MemberRole } from '../api/types.js';
import { titles } from '../app/navigation-texts.js';

export const team = {
  title: titles.team,
  name: 'Name',
  email: 'E-mail',
  role: 'Role',
  status: 'Status',
  statuses: {
    active: 'Active',
    invited: 'Invited',
    disabled: 'Disabled',
  } satisfies Record<Member['status'], string>,
  until: 'until',
  you: '(you)',
  may: {
    viewer: 'Sees everything but whole license keys. Changes nothing.',
    support: 'Renews, suspends, revokes and reissues licenses, and releases machines.',
    admin: 'Does everything but rotating the signing keys.',
  } satisfies Record<MemberRole, string>,
  invite: 'Invite member',
  inviteAgain: 'New link',
  inviteAgainTitle: (email: string) => `New link for ${email}?`,
  inviteAgainDetails: 'The link that was shown before no longer works.',
  invitation: 'Invitation',
  invitationDetails: (email: string) =>
    `Send this link to ${email}. It works once, within 7 days, and is shown this once.`,
  invitationLost:
    'The link was in a response that was lost. Create a new link for the member in the list.',
  copyLink: 'Copy link',
  change: 'Change role',
  changeTitle: (member: string) => `Role of ${member}`,
  removal: {
    action: 'Remove',
    title: (member: string) => `Remove ${member}?`,
    details: 'The sessions of the member end at once. API keys that the member created still work.',
  },
  withdrawal: {
    action: 'Withdraw',
    title: (email: string) => `Withdraw the invitation of ${email}?`,
    details: 'Its link no longer works.',
  },
  removed: 'Member removed successfully',
  left: 'API keys and webhooks that the member created still work; replace those that the member may know:',
};

export const join = {
  title: 'Join a team',
  details: 'Choose a name and a password. The link that you have opened works once.',
  submit: 'Join',
  noInvitation: 'The link is incomplete',
  noInvitationDetails: 'Open it as it was sent to you, whole.',
  loggedIn: 'You are logged in. Log out to accept the invitation with a login of its own.',
  hasJoined: 'Joined already?',
};
