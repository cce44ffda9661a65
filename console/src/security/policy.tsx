import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import type { MfaPolicy } from '../api/types.js';
import { ConfirmationButton } from '../shared/confirmation.js';
import { Loaded } from '../shared/loaded.js';
import { Muted } from '../shared/ui/muted.js';
import { Panel, PanelHead } from '../shared/ui/panel.js';
import { Records } from '../shared/ui/records.js';
import { membersQuery } from '../team/team-queries.js';
import { policyQuery } from './security-queries.js';
import { policy as names } from './security-texts.js';

/** Whether every member needs a second factor, and which members lack one. Only the owner sees it. */
export function Policy({ hasFactor }: { readonly hasFactor: boolean }) {
  const policy = useQuery(policyQuery);
  return (
    <Panel label={names.title}>
      <Loaded query={policy}>
        {({ mfa }) => (
          <>
            <PanelHead title={names.title}>
              {mfa === 'required' ? <Relax /> : hasFactor && <Require />}
            </PanelHead>
            <p>{names[mfa]}</p>
            {mfa === 'optional' && !hasFactor && <Muted>{names.needsFactor}</Muted>}
            <NotReady />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

const Require = () => (
  <ConfirmationButton
    operation="updateAccountPolicy"
    label={names.require}
    title={names.requireTitle}
    details={
      <>
        <p>{names.requireDetails}</p>
        <NotReady />
      </>
    }
    run={() => setPolicy('required')}
    done={names.requiredDone}
  />
);

const Relax = () => (
  <ConfirmationButton
    operation="updateAccountPolicy"
    label={names.relax}
    title={names.relaxTitle}
    details={names.relaxDetails}
    isDangerous
    run={() => setPolicy('optional')}
    done={names.relaxedDone}
  />
);

/** The members without a second factor. */
function NotReady() {
  const members = useQuery(membersQuery);
  return (
    <Loaded query={members}>
      {(rows) => {
        const missing = rows.filter((one) => one.status === 'active' && !one.secondFactor);
        if (missing.length === 0) return <p>{names.allReady}</p>;
        return (
          <div>
            <p>{names.notReady}</p>
            <Records>
              {missing.map(({ _id, name, email }) => (
                <li key={_id}>{name ? `${name} (${email})` : email}</li>
              ))}
            </Records>
          </div>
        );
      }}
    </Loaded>
  );
}

const setPolicy = (mfa: MfaPolicy) => bodyOf(api.PUT('/account/policy', { body: { mfa } }));
