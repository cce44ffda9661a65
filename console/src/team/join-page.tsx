import { Link, useLocation, useNavigate, useRouteContext } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import * as inputs from '../api/inputs.js';
import { bodyOf, publicApi } from '../api/public-client.js';
import type { Account } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { startFirst } from '../session/registration.js';
import { session } from '../session/session.js';
import { NewPasswordField } from '../shared/credential-fields.js';
import { Empty } from '../shared/empty.js';
import { TextField } from '../shared/fields.js';
import { Form, passwordOf, textOf } from '../shared/form.js';
import { Brand } from '../shared/brand.js';
import { Page } from '../shared/page.js';
import { Muted } from '../shared/ui/muted.js';
import { NarrowMain } from '../shared/ui/narrow-main.js';
import { texts } from '../texts.js';
import { join as names } from './team-texts.js';

/** Accepts an invitation, which is the fragment of the address. */
export function JoinPage() {
  const { hash: invitation } = useLocation();
  const { isLoggedIn } = useRouteContext({ from: '/join' });
  const [isSubmitted, setSubmitted] = useState(false);
  return (
    <NarrowMain>
      <Brand />
      <Page title={names.title}>
        {invitation === '' ? (
          <Empty title={names.noInvitation} details={names.noInvitationDetails} />
        ) : isLoggedIn && !isSubmitted ? (
          <LogOutFirst />
        ) : (
          <JoinForm invitation={invitation} onSubmit={() => setSubmitted(true)} />
        )}
        <Muted>
          {names.hasJoined} <Link to="/login">{texts.session.signIn}</Link>
        </Muted>
      </Page>
    </NarrowMain>
  );
}

/** Someone else is signed in here, and a new session would replace theirs. */
function LogOutFirst() {
  const logOut = useWrite(() => session.logOut());
  return (
    <Form write={logOut} submit={texts.session.signOut} onSubmit={() => logOut.submit(undefined)}>
      <p>{names.signedIn}</p>
    </Form>
  );
}

interface Joining {
  readonly invitation: string;
  readonly name: string;
  readonly password: string;
}

interface JoinFormProps {
  readonly invitation: string;
  readonly onSubmit: () => void;
}

/** Joins, and continues the session in the response. */
function JoinForm({ invitation, onSubmit }: JoinFormProps) {
  const navigate = useNavigate();
  // An invitation works once. If signing in fails, only the sign-in is retried.
  const accepted = useRef<{ user: Account; refreshToken: string }>(null);
  const join = async (body: Joining) => {
    accepted.current ??= await bodyOf(publicApi.POST('/auth/invitations/accept', { body }));
    const { user, refreshToken } = accepted.current;
    await startFirst(refreshToken, { email: user.email, password: body.password });
  };
  const accept = useWrite(join, () => navigate({ to: '/', replace: true }));
  const { name, password } = inputs.acceptInvitation;
  return (
    <Form
      write={accept}
      submit={names.submit}
      onSubmit={(fields) => {
        onSubmit();
        accept.submit({
          invitation,
          name: textOf(fields, name.name),
          password: passwordOf(fields, password.name),
        });
      }}
    >
      <p>{names.details}</p>
      <TextField label={texts.session.name} {...name} autoComplete="name" />
      <NewPasswordField limits={password} />
    </Form>
  );
}
