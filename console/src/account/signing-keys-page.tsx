import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SERVICE } from '../shared/deployment.js';
import { Fact, Facts } from '../shared/facts.js';
import { Loaded } from '../shared/loaded.js';
import { Page } from '../shared/page.js';
import { Snippet } from '../shared/snippet.js';
import { Columns } from '../shared/ui/columns.js';
import { Panel } from '../shared/ui/panel.js';
import { Stack } from '../shared/ui/stack.js';
import { signingKeysQuery } from './account-queries.js';
import { signingKeys as names } from './account-texts.js';
import { RotateKeys } from './rotate-keys.js';

/** The keys that apps use to verify certificates. */
export function SigningKeysPage() {
  const keys = useQuery(signingKeysQuery);
  return (
    <Page title={names.title} actions={keys.data && <RotateKeys current={keys.data.current.kid} />}>
      <p>
        {names.details} <Link to="/integrate">{names.integrate}</Link>.
      </p>
      <Loaded query={keys}>
        {({ issuer, current, next }) => (
          <Columns>
            <Panel label={names.both}>
              <Snippet
                title={names.both}
                details={names.bothDetails}
                copy={names.copy}
                text={JSON.stringify({ issuer, current, next }, null, 2)}
              />
            </Panel>
            <Stack>
              <Panel label={names.ids}>
                <h2>{names.ids}</h2>
                <Facts>
                  <Fact name={names.issuer}>
                    <code>{issuer}</code>
                  </Fact>
                  <Fact name={names.current}>
                    <code>{current.kid}</code>
                  </Fact>
                  <Fact name={names.next}>
                    <code>{next.kid}</code>
                  </Fact>
                </Facts>
              </Panel>
              <Panel label={names.address}>
                <Snippet
                  title={names.address}
                  details={names.addressDetails}
                  copy={names.copyAddress}
                  text={`${SERVICE}/keys/${issuer}`}
                />
              </Panel>
            </Stack>
          </Columns>
        )}
      </Loaded>
    </Page>
  );
}
