import { type ReactNode, useState } from 'react';
import { api } from '../api/client.js';
import * as inputs from '../api/inputs.js';
import { bodyOf } from '../api/public-client.js';
import type { Member, MemberRole } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { SERVICE } from '../shared/deployment.js';
import { TextField } from '../shared/fields.js';
import { Form, textOf } from '../shared/form.js';
import { notify } from '../shared/notices.js';
import { ShowOnceButton } from '../shared/show-once-button.js';
import { type Once, ShownOnce } from '../shared/shown-once.js';
import buttons from '../shared/ui/button.module.css';
import { RoleField, roleOf } from './role-field.js';
import { team as names } from './team-texts.js';

interface Invitee {
  readonly email: string;
  readonly role: MemberRole;
}

const SHOWN = { title: names.invitation, text: names.invitation, copy: names.copyLink };

/** Invites a member, then shows the link to send if the service has not mailed it. */
export const InviteMember = () => (
  <ShowOnceButton
    operation="inviteMember"
    label={names.invite}
    title={names.invite}
    className={buttons.primary}
    names={SHOWN}
  >
    {(show, close) => (
      <InviteForm label={names.invite} onDone={show} onClose={close}>
        <TextField
          label={names.email}
          {...inputs.inviteMember.email}
          // It is someone else's address, so the browser must not fill it in.
          autoComplete="off"
        />
        <RoleField initial="viewer" />
      </InviteForm>
    )}
  </ShowOnceButton>
);

interface AgainProps {
  readonly member: Member;
  readonly onClose: () => void;
}

/** Replaces an invitation, because its link can't be shown again. */
export function InviteAgain({ member: { email, role }, onClose }: AgainProps) {
  const [shown, setShown] = useState<Once | null>(null);
  if (shown) return <ShownOnce {...shown} names={SHOWN} onClose={onClose} />;
  return (
    <InviteForm label={names.inviteAgain} onDone={setShown} onClose={onClose}>
      <p>{names.inviteAgainDetails}</p>
      <input type="hidden" name="email" value={email} />
      <input type="hidden" name="role" value={role} />
    </InviteForm>
  );
}

interface FormProps {
  readonly label: string;
  readonly onDone: (invited: Once) => void;
  readonly onClose: () => void;
  /** The fields of the form. */
  readonly children: ReactNode;
}

function InviteForm({ label, children, onDone, onClose }: FormProps) {
  const invite = useWrite(
    (body: Invitee, key) =>
      bodyOf(api.POST('/members', { params: { header: { 'Idempotency-Key': key } }, body })),
    ({ member: { email }, invitation, mailed }) => {
      if (invitation !== null) {
        const details = names.invitationDetails(email, mailed);
        return onDone({ text: linkTo(invitation), details });
      }
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

/** Browsers don't send the fragment, so no log contains the invitation. */
const linkTo = (invitation: string) => `${SERVICE}/console/join#${invitation}`;
