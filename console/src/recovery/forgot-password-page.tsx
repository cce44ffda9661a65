import { Link } from '@tanstack/react-router';
import { bodyOf, publicApi } from '../api/public-client.js';
import { useWrite } from '../api/use-write.js';
import { Brand } from '../shared/brand.js';
import { EmailField } from '../shared/credential-fields.js';
import { Empty } from '../shared/empty.js';
import { Form, textOf } from '../shared/form.js';
import { Page } from '../shared/page.js';
import { Muted } from '../shared/ui/muted.js';
import { NarrowMain } from '../shared/ui/narrow-main.js';
import { recovery as names } from './recovery-texts.js';

/** Requests a link by mail. The page says the same thing whether or not the address has a login. */
export function ForgotPasswordPage() {
  const request = useWrite((email: string) =>
    bodyOf(publicApi.POST('/auth/password-reset', { body: { email } })),
  );
  return (
    <NarrowMain>
      <Brand />
      <Page title={names.forgotTitle}>
        {request.isDone ? (
          <div role="status">
            <Empty title={names.sent} details={names.sentDetails} />
          </div>
        ) : (
          <Form
            write={request}
            submit={names.send}
            onSubmit={(fields) => request.submit(textOf(fields, 'email'))}
          >
            <p>{names.forgotDetails}</p>
            <EmailField />
          </Form>
        )}
        <Muted>
          <Link to="/login">{names.back}</Link>
        </Muted>
      </Page>
    </NarrowMain>
  );
}
