import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../api/use-may.js';
import { Fact, Facts } from '../shared/facts.js';
import { Loaded } from '../shared/loaded.js';
import { Page } from '../shared/page.js';
import { Time } from '../shared/time.js';
import { Columns } from '../shared/ui/columns.js';
import { Panel } from '../shared/ui/panel.js';
import { Stack } from '../shared/ui/stack.js';
import { Sessions } from '../security/sessions.js';
import { roles } from '../team/roles.js';
import { team } from '../team/team-texts.js';
import { texts } from '../texts.js';
import { ChangeEmail } from './change-email.js';
import { ChangePassword } from './change-password.js';
import { ThemeField } from './theme-field.js';

export function AccountPage() {
  const account = useQuery(accountQuery);
  return (
    <Page title={texts.account.title}>
      <Columns>
        <Stack>
          <Panel label={texts.account.you}>
            <h2>{texts.account.you}</h2>
            <Loaded query={account}>
              {({ name, email, role, createdAt }) => (
                <Facts>
                  <Fact name={texts.session.name}>{name}</Fact>
                  <Fact name={texts.session.email}>{email}</Fact>
                  <Fact name={team.role}>{roles[role]}</Fact>
                  <Fact name={texts.account.created}>
                    <Time at={createdAt} withTime={false} />
                  </Fact>
                </Facts>
              )}
            </Loaded>
          </Panel>
          <ChangeEmail />
          <ThemeField />
        </Stack>
        <ChangePassword email={account.data?.email} />
      </Columns>
      {/* Repeated here because on phones this page is one tap away. */}
      <Sessions />
    </Page>
  );
}
