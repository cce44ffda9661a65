import { Link } from '@tanstack/react-router';
import * as inputs from '../api/inputs.js';
import { bodyOf, publicApi } from '../api/public-client.js';
import type { ApiKey } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { Brand } from '../shared/brand.js';
import { NewPasswordField } from '../shared/credential-fields.js';
import { Empty } from '../shared/empty.js';
import { Form, passwordOf } from '../shared/form.js';
import { Page } from '../shared/page.js';
import buttons from '../shared/ui/button.module.css';
import { Muted } from '../shared/ui/muted.js';
import { NarrowMain } from '../shared/ui/narrow-main.js';
import { Records } from '../shared/ui/records.js';
import { texts } from '../texts.js';
import { recovery as names } from './recovery-texts.js';
import { useLinkToken } from './use-link-token.js';

const { password } = inputs.confirmPasswordReset;

/** Sets a new password with a mailed link. The link stays valid if the password is rejected. */
export function ResetPasswordPage() {
  const token = useLinkToken();
  const reset = useWrite((body: { readonly token: string; readonly password: string }) =>
    bodyOf(publicApi.POST('/auth/password-reset/confirm', { body })),
  );
  return (
    <NarrowMain>
      <Brand />
      <Page title={names.resetTitle}>
        {token === '' ? (
          <Empty title={names.incomplete} details={names.incompleteDetails} />
        ) : reset.data ? (
          <Done apiKeys={reset.data.apiKeys} />
        ) : (
          <Form
            write={reset}
            submit={names.reset}
            onSubmit={(fields) =>
              reset.submit({ token, password: passwordOf(fields, password.name) })
            }
          >
            <p>{names.resetDetails}</p>
            <NewPasswordField label={texts.account.new} limits={password} />
          </Form>
        )}
        {!reset.data && (
          <Muted>
            <Link to="/forgot-password">{names.again}</Link>
          </Muted>
        )}
      </Page>
    </NarrowMain>
  );
}

function Done({ apiKeys }: { readonly apiKeys: readonly ApiKey[] }) {
  return (
    <>
      <div role="status">
        <Empty title={names.done} details={names.doneDetails}>
          <Link to="/login" className={`${buttons.link} ${buttons.primary}`}>
            {texts.session.signIn}
          </Link>
        </Empty>
      </div>
      {apiKeys.length > 0 && (
        <section>
          <p>{names.keys}</p>
          <Records>
            {apiKeys.map(({ _id, name }) => (
              <li key={_id}>{name}</li>
            ))}
          </Records>
        </section>
      )}
    </>
  );
}
