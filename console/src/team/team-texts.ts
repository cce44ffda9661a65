import type { Member, MemberRole } from '../api/types.js';
import { titles } from '../app/navigation-texts.js';

export const team = {
  title: titles.team,
  details: 'Everyone who can sign in to this account, and what they can do.',
  name: 'Name',
  email: 'Email',
  role: 'Role',
  status: 'Status',
  statuses: {
    active: 'Active',
    invited: 'Invited',
    disabled: 'Disabled',
  } satisfies Record<Member['status'], string>,
  since: 'since',
  until: 'until',
  secondFactor: 'Second factor',
  on: 'On',
  off: 'Off',
  you: '(you)',
  notJoined: 'Not joined yet',
  may: {
    viewer:
      "Can view customers, licenses, plans and events. Can't change anything, see full keys, or open Team, API keys or Webhooks.",
    support:
      'Everything a viewer can do. Can also see full keys, release machines, and renew, suspend, revoke and reissue ' +
      "licenses. Can't create or edit licenses.",
    admin: 'Full access, except rotating signing keys.',
  } satisfies Record<MemberRole, string>,
  invite: 'Invite member',
  inviteAgain: 'New link',
  inviteAgainTitle: (email: string) => `New link for ${email}?`,
  inviteAgainDetails: 'The previous link stops working.',
  invitation: 'Invitation',
  invitationDetails: (email: string, isMailed: boolean) =>
    `${isMailed ? `We mailed this link to ${email}` : `Send this link to ${email}`}. Works once and expires in 7 days. You won't see it again.`,
  invitationLost:
    'The response with the link was lost. Find the member in the list and create a new link.',
  copyLink: 'Copy link',
  change: 'Change role',
  changeTitle: (member: string) => `Change role of ${member}`,
  roleChanged: (member: string) => `Changed the role of ${member}`,
  removal: {
    action: 'Remove',
    title: (member: string) => `Remove ${member}?`,
    details: 'Signs them out immediately. API keys they created keep working.',
    done: (member: string) => `Removed ${member}`,
  },
  withdrawal: {
    action: 'Withdraw',
    title: (email: string) => `Withdraw the invitation for ${email}?`,
    details: 'The link stops working.',
    done: (email: string) => `Withdrew the invitation for ${email}`,
  },
  left: 'API keys and webhooks they created still work. Replace any whose secret they may have copied:',
};

export const join = {
  title: 'Join a team',
  details: 'You have been invited. Choose a name and password. This link works once.',
  submit: 'Join',
  noInvitation: 'The link is incomplete',
  noInvitationDetails: 'Open the whole link you were sent.',
  signedIn: "You're signed in. To accept the invitation, sign out first.",
  hasJoined: 'Already joined?',
};
