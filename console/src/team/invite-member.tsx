import type { ReactNode } from 'react';
import { api } from '../api/client.js';
import * as inputs from '../api/inputs.js';
import { bodyOf } from '../api/public-client.js';
import type { MemberRole, Role } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { TextField } from '../shared/fields.js';
import { Form, textOf } from '../shared/form.js';
import { notify } from '../shared/notices.js';
import { ShowOnceButton } from '../shared/show-once-button.js';
import { RoleField, roleOf } from './role-field.js';
import { team as names } from './team-texts.js';

interface Invitee {
  readonly email: string;
  readonly role: MemberRole;
}

interface Invited {
  readonly email: string;
  readonly link: string;
}

export const InviteMember = () => (
  <InviteButton label={names.invite} title={names.invite} className="primary">
    <TextField
      label={names.email}
      {...inputs.inviteMember.email}
      // Of somebody else: no address that the browser knows.
      autoComplete="off"
    />
    <RoleField initial="viewer" />
  </InviteButton>
);

/** Replaces an invitation, whose link nobody can show again. */
export const InviteAgain = ({ email, role }: { readonly email: string; readonly role: Role }) => (
  <InviteButton label={names.inviteAgain} title={names.inviteAgainTitle(email)}>
    <p>{names.inviteAgainDetails}</p>
    <input type="hidden" name="email" value={email} />
    <input type="hidden" name="role" value={role} />
  </InviteButton>
);

interface Props {
  readonly label: string;
  readonly title: string;
  readonly className?: string;
  /** The fields of the form. */
  readonly children: ReactNode;
}

/** Invites somebody, and then shows the link to hand over. */
const InviteButton = ({ children, ...button }: Props) => (
  <ShowOnceButton
    operation="inviteMember"
    {...button}
    names={{ title: names.invitation, text: names.invitation, copy: names.copyLink }}
  >
    {(show, close) => (
      <InviteForm
        label={button.label}
        onDone={({ email, link }) => show({ text: link, details: names.invitationDetails(email) })}
        onClose={close}
      >
        {children}
      </InviteForm>
    )}
  </ShowOnceButton>
);

interface FormProps extends Pick<Props, 'label' | 'children'> {
  readonly onDone: (invited: Invited) => void;
  readonly onClose: () => void;
}

function InviteForm({ label, children, onDone, onClose }: FormProps) {
  const invite = useWrite(
    (body: Invitee, key) =>
      bodyOf(api.POST('/members', { params: { header: { 'Idempotency-Key': key } }, body })),
    ({ member: { email }, invitation }) => {
      if (invitation !== null) return onDone({ email, link: linkTo(invitation) });
      onClose();
      notify(names.invitationLost);
    },
  );
  return (
    <Form
      write={invite}
      submit={label}
      onCancel={onClose}
      onSubmit={(fields) => invite.submit({ email: textOf(fields, 'email'), role: roleOf(fields) })}
    >
      {children}
    </Form>
  );
}

/** Browsers send no fragment, so the invitation is in no log. */
const linkTo = (invitation: string) => new URL(`/console/join#${invitation}`, location.origin).href;
