import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import * as inputs from '../api/inputs.js';
import { useWrite } from '../api/use-write.js';
import { EmailField, NewPasswordField } from '../shared/credential-fields.js';
import { Empty } from '../shared/empty.js';
import { TextField } from '../shared/fields.js';
import { Form, passwordOf, textOf } from '../shared/form.js';
import { Loaded } from '../shared/loaded.js';
import { Brand } from '../shared/brand.js';
import { Page } from '../shared/page.js';
import { Muted } from '../shared/ui/muted.js';
import { NarrowMain } from '../shared/ui/narrow-main.js';
import { texts } from '../texts.js';
import { createAccount, registrationQuery } from './registration.js';

/** Creating an account also signs in. The router then opens the requested page. */
export function RegisterPage() {
  const { from } = useSearch({ from: '/visitor' });
  const registration = useQuery(registrationQuery);
  const [isSubmitted, setSubmitted] = useState(false);
  return (
    <NarrowMain>
      <Brand />
      <Page title={texts.session.createYourAccount}>
        <Loaded query={registration}>
          {({ open }) =>
            // The account just submitted may have closed registration.
            open || isSubmitted ? (
              <RegistrationForm onSubmit={() => setSubmitted(true)} />
            ) : (
              <Empty title={texts.session.closed} details={texts.session.closedDetails} />
            )
          }
        </Loaded>
        {registration.data?.firstAccount ? (
          <Muted>{texts.session.firstAccount}</Muted>
        ) : (
          <Muted>
            {texts.session.hasAccount}{' '}
            <Link to="/login" search={from ? { from } : {}}>
              {texts.session.signIn}
            </Link>
          </Muted>
        )}
      </Page>
    </NarrowMain>
  );
}

function RegistrationForm({ onSubmit }: { readonly onSubmit: () => void }) {
  const register = useWrite(createAccount);
  return (
    <Form
      write={register}
      submit={texts.session.createAccount}
      onSubmit={(fields) => {
        onSubmit();
        register.submit({
          name: textOf(fields, 'name'),
          email: textOf(fields, 'email'),
          password: passwordOf(fields, 'password'),
        });
      }}
    >
      <TextField label={texts.session.name} {...inputs.register.name} autoComplete="name" />
      <EmailField />
      <NewPasswordField limits={inputs.register.password} />
    </Form>
  );
}
