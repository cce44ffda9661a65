import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Summary } from '../api/types.js';
import { useMay } from '../api/use-may.js';
import { titles } from '../app/navigation-texts.js';
import { NewLicense } from '../projects/new-license.js';
import { Loaded } from '../shared/loaded.js';
import { Page } from '../shared/page.js';
import buttons from '../shared/ui/button.module.css';
import { Columns } from '../shared/ui/columns.js';
import { Stack } from '../shared/ui/stack.js';
import { texts } from '../texts.js';
import { SamplePanel } from '../samples/sample-panel.js';
import { webhooksQuery } from '../webhooks/webhook-queries.js';
import { Activations } from './activations.js';
import { Checklist } from './checklist.js';
import { Expiring } from './expiring.js';
import { FailingWebhooks, isFailing } from './failing-webhooks.js';
import { LatestEvents } from './latest-events.js';
import { POLLING, summaryQuery } from './overview-queries.js';
import { StatusCounts } from './status-counts.js';

/** Whether there is nothing to count. */
const isEmpty = ({ licensesByStatus }: Summary) =>
  Object.values(licensesByStatus).every((count) => count === 0);

export function OverviewPage() {
  const summary = useQuery(summaryQuery);
  const may = useMay();
  const webhooks = useQuery({ ...webhooksQuery, ...POLLING, enabled: may('listWebhooks') });
  const failing = webhooks.data?.filter(isFailing) ?? [];
  return (
    <Page
      title={texts.overview.title}
      actions={
        <>
          <NewLicense />
          <Link to="/integrate" className={buttons.link}>
            {titles.integrate}
          </Link>
        </>
      }
    >
      <Loaded query={summary}>
        {(data) => (
          <>
            <Checklist summary={data} />
            {failing.length > 0 && <FailingWebhooks webhooks={failing} />}
            {!isEmpty(data) && <SamplePanel />}
            {isEmpty(data) ? (
              <LatestEvents />
            ) : (
              <>
                <StatusCounts counts={data.licensesByStatus} />
                <Columns>
                  <Stack>
                    <Expiring
                      within7={data.expiringWithin7Days}
                      within30={data.expiringWithin30Days}
                    />
                    <Activations days={data.activationsPerDay} />
                  </Stack>
                  <LatestEvents />
                </Columns>
              </>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}
