import { useState } from 'react';
import type { MemberRole } from '../api/types.js';
import { SelectField } from '../shared/fields.js';
import { roles } from './roles.js';
import { team as names } from './team-texts.js';

const MEMBER_ROLES = Object.keys(names.may) as MemberRole[];

/** Chooses a role and describes what it may do. */
export function RoleField({ initial }: { readonly initial: MemberRole }) {
  const [role, setRole] = useState(initial);
  return (
    <SelectField
      label={names.role}
      hint={names.may[role]}
      name="role"
      value={role}
      onChange={({ target }) => setRole(target.value as MemberRole)}
    >
      {MEMBER_ROLES.map((value) => (
        <option key={value} value={value}>
          {roles[value]}
        </option>
      ))}
    </SelectField>
  );
}

export const roleOf = (fields: FormData) => fields.get('role') as MemberRole;
