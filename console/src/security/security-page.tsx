import { useQuery } from '@tanstack/react-query';
import { useMay } from '../api/use-may.js';
import { Loaded } from '../shared/loaded.js';
import { Page } from '../shared/page.js';
import { Columns } from '../shared/ui/columns.js';
import { Panel } from '../shared/ui/panel.js';
import { Stack } from '../shared/ui/stack.js';
import { Authenticator } from './authenticator.js';
import { PasskeyPanel } from './passkey-panel.js';
import { Policy } from './policy.js';
import { RecoveryCodes } from './recovery-codes.js';
import { factorsQuery, policyQuery, stepUpFactorsOf } from './security-queries.js';
import { security as names } from './security-texts.js';
import { Sessions } from './sessions.js';

/** The second factors and sessions of the user, and the policy of the account. */
export function SecurityPage() {
  const may = useMay();
  const factors = useQuery(factorsQuery);
  const isRequired = useQuery(policyQuery).data?.mfa === 'required';
  return (
    <Page title={names.title}>
      <p>{names.details}</p>
      <Loaded query={factors}>
        {(set) => {
          const hasFactor = stepUpFactorsOf(set).length > 0;
          const mustSetUp = isRequired && !hasFactor;
          return (
            <>
              {mustSetUp && (
                <Panel label={names.required}>
                  <h2>{names.required}</h2>
                  <p>{names.requiredDetails}</p>
                </Panel>
              )}
              <Columns>
                <Stack>
                  <PasskeyPanel passkeys={set.passkeys} />
                  <Authenticator totp={set.totp} />
                </Stack>
                <Stack>
                  <RecoveryCodes left={set.recoveryCodesLeft} hasFactor={hasFactor} />
                  {may('updateAccountPolicy') && <Policy hasFactor={hasFactor} />}
                </Stack>
              </Columns>
              {!mustSetUp && <Sessions />}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
