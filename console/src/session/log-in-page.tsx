import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { ApiError } from '../api/api-error.js';
import * as inputs from '../api/inputs.js';
import { useWrite } from '../api/use-write.js';
import { EmailField, PasswordField } from '../shared/credential-fields.js';
import { ErrorNote } from '../shared/error-note.js';
import { Form, passwordOf, textOf } from '../shared/form.js';
import { Brand } from '../shared/brand.js';
import { Page } from '../shared/page.js';
import { Muted } from '../shared/ui/muted.js';
import { NarrowMain } from '../shared/ui/narrow-main.js';
import { texts } from '../texts.js';
import { registrationQuery } from './registration.js';
import { session } from './session.js';
import { type Credentials, isFactorRequired } from './session-requests.js';

const FactorStep = lazy(async () => ({
  default: (await import('../security/factor-step.js')).FactorStep,
}));
const PasskeySignIn = lazy(async () => ({
  default: (await import('../security/passkey-sign-in.js')).PasskeySignIn,
}));

/** After sign-in, the router opens the requested page. */
export function LogInPage() {
  const { from } = useSearch({ from: '/visitor' });
  const registration = useQuery(registrationQuery);
  const [due, setDue] = useState<ApiError['body'] | null>(null);
  const logIn = useWrite(async (credentials: Credentials) => {
    try {
      await session.logIn(credentials);
    } catch (error) {
      if (!isFactorRequired(error)) throw error;
      setDue(error.body);
    }
  });
  if (registration.data?.firstAccount) {
    return <Navigate to="/register" search={from ? { from } : {}} replace />;
  }
  return (
    <NarrowMain>
      <Brand />
      <Suspense fallback={null}>
        {due ? (
          <FactorStep due={due} onRestart={() => setDue(null)} />
        ) : (
          <Page title={texts.session.signIn}>
            {from && <p>{texts.session.expired}</p>}
            <Form
              write={logIn}
              submit={texts.session.signIn}
              onSubmit={(fields) =>
                logIn.submit({
                  email: textOf(fields, 'email'),
                  password: passwordOf(fields, 'password'),
                })
              }
            >
              <EmailField autoComplete="username webauthn" />
              <PasswordField limits={inputs.createConsoleSession.password} />
            </Form>
            {registration.data?.passkeys && (
              <Suspense fallback={null}>
                <PasskeySignIn />
              </Suspense>
            )}
            {registration.error && (
              <ErrorNote error={registration.error} onRetry={() => registration.refetch()} />
            )}
            {registration.data?.passwordReset && (
              <Muted>
                <Link to="/forgot-password">{texts.session.forgot}</Link>
              </Muted>
            )}
            {registration.data?.open && (
              <Muted>
                {texts.session.hasNoAccount}{' '}
                <Link to="/register" search={from ? { from } : {}}>
                  {texts.session.createAccount}
                </Link>
              </Muted>
            )}
          </Page>
        )}
      </Suspense>
    </NarrowMain>
  );
}
