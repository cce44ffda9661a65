import { Link } from '@tanstack/react-router';
import { bodyOf, publicApi } from '../api/public-client.js';
import { useWrite } from '../api/use-write.js';
import { Brand } from '../shared/brand.js';
import { Empty } from '../shared/empty.js';
import { Form } from '../shared/form.js';
import { Page } from '../shared/page.js';
import { NarrowMain } from '../shared/ui/narrow-main.js';
import { recovery as names } from './recovery-texts.js';
import { useLinkToken } from './use-link-token.js';

/** Confirms an email address with a mailed link. It takes a button press, because mail scanners open links. */
export function ConfirmEmailPage() {
  const token = useLinkToken();
  const confirm = useWrite(() =>
    bodyOf(publicApi.POST('/auth/email/confirm', { body: { token } })),
  );
  return (
    <NarrowMain>
      <Brand />
      <Page title={names.confirmTitle}>
        {token === '' ? (
          <Empty title={names.incomplete} details={names.incompleteDetails} />
        ) : confirm.data ? (
          <div role="status">
            <Empty title={names.confirmed(confirm.data.email)} details={names.confirmedDetails}>
              <Link to="/">{names.toConsole}</Link>
            </Empty>
          </div>
        ) : (
          <Form write={confirm} submit={names.confirm} onSubmit={() => confirm.submit(undefined)}>
            <p>{names.confirmDetails}</p>
          </Form>
        )}
      </Page>
    </NarrowMain>
  );
}
