import { useQuery } from '@tanstack/react-query';
import type { Member } from '../api/types.js';
import { accountQuery } from '../api/use-may.js';
import { type Column, DataTable } from '../shared/data-table.js';
import { Loaded } from '../shared/loaded.js';
import { Page } from '../shared/page.js';
import { Time } from '../shared/time.js';
import { texts } from '../texts.js';
import { ChangeRole } from './change-role.js';
import { InviteAgain, InviteMember } from './invite-member.js';
import { RemoveMember } from './remove-member.js';
import { membersQuery } from './team-queries.js';
import { roles } from './roles.js';
import { team as names } from './team-texts.js';

const COLUMNS: readonly Column<Member>[] = [
  { name: names.name, cell: (member) => <Name member={member} /> },
  { name: names.email, cell: ({ email }) => email },
  { name: names.role, cell: ({ role }) => <span className="nowrap">{roles[role]}</span> },
  { name: names.status, cell: (member) => <Status member={member} /> },
  { name: texts.overview.action, cell: (member) => <Actions member={member} /> },
];

/** The members of the account, and those who are invited. */
export function TeamPage() {
  const members = useQuery(membersQuery);
  return (
    <Page
      title={names.title}
      aside={
        <div className="actions">
          <InviteMember />
        </div>
      }
    >
      <Loaded query={members}>
        {(rows) => <DataTable caption={names.title} columns={COLUMNS} rows={rows} />}
      </Loaded>
    </Page>
  );
}

interface Props {
  readonly member: Member;
}

/** Whether a member is the current user. */
const useIsSelf = ({ _id }: Member) => useQuery(accountQuery).data?._id === _id;

function Name({ member }: Props) {
  const isSelf = useIsSelf(member);
  return (
    <span>
      {member.name ?? texts.none} {isSelf && names.you}
    </span>
  );
}

function Status({ member: { status, expiresAt } }: Props) {
  return (
    <span>
      {names.statuses[status]}
      {expiresAt !== null && (
        <>
          {' '}
          {names.until} <Time at={expiresAt} withTime={false} />
        </>
      )}
    </span>
  );
}

/** The owner stays, and nobody locks out the own login by a slip. */
function Actions({ member }: Props) {
  const isSelf = useIsSelf(member);
  if (member.role === 'owner' || isSelf) return texts.none;
  return (
    <div className="row-actions">
      {member.status === 'invited' && <InviteAgain email={member.email} role={member.role} />}
      <ChangeRole member={member} />
      <RemoveMember member={member} />
    </div>
  );
}
