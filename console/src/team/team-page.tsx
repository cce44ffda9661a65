import { useQuery } from '@tanstack/react-query';
import type { Member } from '../api/types.js';
import { Badge } from '../shared/badge.js';
import { type Column, DataTable } from '../shared/data-table.js';
import { Loaded } from '../shared/loaded.js';
import { Page } from '../shared/page.js';
import { Time } from '../shared/time.js';
import { Muted } from '../shared/ui/muted.js';
import { texts } from '../texts.js';
import { InviteMember } from './invite-member.js';
import { MemberMenu } from './member-menu.js';
import { membersQuery } from './team-queries.js';
import { roles } from './roles.js';
import { team as names } from './team-texts.js';
import { useIsSelf } from './use-is-self.js';

const COLUMNS: readonly Column<Member>[] = [
  { name: names.name, cell: (member) => <Name member={member} />, card: 'head' },
  { name: names.email, cell: ({ email }) => email, card: 'plain' },
  { name: names.role, cell: ({ role }) => roles[role], isShort: true, card: 'plain' },
  {
    name: names.secondFactor,
    cell: ({ status, secondFactor }) => (status === 'active' ? onOrOff(secondFactor) : texts.none),
    isShort: true,
  },
  {
    name: names.status,
    cell: (member) => <Status member={member} />,
    isShort: true,
    card: 'plain',
  },
];

const onOrOff = (isOn: boolean) => (isOn ? names.on : names.off);

/** The members and invitations of the account. */
export function TeamPage() {
  const members = useQuery(membersQuery);
  return (
    <Page title={names.title} actions={<InviteMember />}>
      <p>{names.details}</p>
      <Loaded query={members}>
        {(rows) => (
          <DataTable
            caption={names.title}
            columns={COLUMNS}
            rows={rows}
            menu={(member) => <MemberMenu member={member} />}
          />
        )}
      </Loaded>
    </Page>
  );
}

interface Props {
  readonly member: Member;
}

function Name({ member }: Props) {
  const isSelf = useIsSelf(member);
  return (
    <span>
      {member.name ?? <Muted isInline>{names.notJoined}</Muted>} {isSelf && names.you}
    </span>
  );
}

/** The license status whose look each mail status borrows. */
const LOOKS = { active: 'active', invited: 'pending', disabled: 'suspended' } as const;

/** The status with the date a member joined, or the date an invitation expires. */
const Status = ({ member: { status, createdAt, expiresAt } }: Props) => (
  <span>
    <Badge look={LOOKS[status]}>{names.statuses[status]}</Badge>{' '}
    <Muted isInline>
      {expiresAt === null ? names.since : names.until}{' '}
      <Time at={expiresAt ?? createdAt} withTime={false} />
    </Muted>
  </span>
);
