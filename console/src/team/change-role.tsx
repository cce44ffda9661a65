import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import type { Member, MemberRole } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { Form } from '../shared/form.js';
import { notify } from '../shared/notices.js';
import { texts } from '../texts.js';
import { RoleField, roleOf } from './role-field.js';
import { team as names } from './team-texts.js';

interface Props {
  readonly member: Member;
  readonly onClose: () => void;
}

export function ChangeRole({ member, onClose }: Props) {
  const change = useWrite(
    (role: MemberRole) =>
      bodyOf(api.PATCH('/members/{id}', { params: { path: { id: member._id } }, body: { role } })),
    () => {
      onClose();
      notify(names.roleChanged(member.name ?? member.email));
    },
  );
  return (
    <Form
      write={change}
      submit={texts.save}
      onCancel={onClose}
      onSubmit={(fields) => change.submit(roleOf(fields))}
    >
      <RoleField initial={member.role as MemberRole} />
    </Form>
  );
}
