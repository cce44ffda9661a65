import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Loaded } from '../shared/loaded.js';
import { Page } from '../shared/page.js';
import { Snippet } from '../shared/snippet.js';
import { Columns } from '../shared/ui/columns.js';
import { Panel } from '../shared/ui/panel.js';
import { Records } from '../shared/ui/records.js';
import { Stack } from '../shared/ui/stack.js';
import { PortalForm } from './portal-form.js';
import { type Portal, portalQuery, type PortalSettings } from './portal-queries.js';
import { portal as names } from './portal-texts.js';
import { Preview } from './preview.js';

/** The settings of the customer portal, with a preview. */
export function PortalPage() {
  const portal = useQuery(portalQuery);
  return (
    <Page title={names.title}>
      <p>{names.details}</p>
      <Loaded query={portal}>{(stored) => <Settings stored={stored} />}</Loaded>
    </Page>
  );
}

function Settings({ stored }: { readonly stored: Portal }) {
  const [shown, show] = useState<PortalSettings>(stored);
  return (
    <Columns>
      <Stack>
        {stored.url === null ? (
          <p role="note">{names.notConfigured}</p>
        ) : (
          <Panel label={names.address}>
            <Snippet title={names.address} copy={names.copyAddress} text={stored.url} />
          </Panel>
        )}
        <Panel label={names.settings}>
          <h2>{names.settings}</h2>
          <PortalForm stored={stored} onChange={show} />
        </Panel>
      </Stack>
      <Stack>
        <Panel label={names.can}>
          <h2>{names.can}</h2>
          <Records>
            {names.canList(shown).map((one) => (
              <li key={one}>{one}</li>
            ))}
          </Records>
        </Panel>
        <Panel label={names.preview}>
          <h2>{names.preview}</h2>
          <Preview settings={shown} />
        </Panel>
      </Stack>
    </Columns>
  );
}
