import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { rowsOf } from '../api/pages.js';
import { clientsQuery } from '../clients/client-queries.js';
import { useMay } from '../api/use-may.js';
import { NewClient } from '../clients/new-client.js';
import { NoLicenses } from '../licenses/no-licenses.js';
import { Empty } from '../shared/empty.js';
import { Loaded } from '../shared/loaded.js';
import { Page } from '../shared/page.js';
import { texts } from '../texts.js';
import { Activations } from './activations.js';
import { Expiring } from './expiring.js';
import { LatestEvents } from './latest-events.js';
import { summaryQuery } from './overview-queries.js';
import { StatusCounts } from './status-counts.js';

export function OverviewPage() {
  const summary = useQuery(summaryQuery);
  return (
    <Page title={texts.overview.title}>
      <Loaded query={summary}>
        {({ licensesByStatus, activationsPerDay, ...soon }) => {
          const total = Object.values(licensesByStatus).reduce((sum, count) => sum + count, 0);
          if (total === 0) return <Begin />;
          return (
            <>
              <StatusCounts counts={licensesByStatus} />
              <Activations days={activationsPerDay} />
              <div className="columns">
                <Expiring within7={soon.expiringWithin7Days} within30={soon.expiringWithin30Days} />
                <LatestEvents />
              </div>
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

/** For an account without licenses. It may have clients already. */
function Begin() {
  const may = useMay();
  const clients = useInfiniteQuery(clientsQuery(undefined));
  return (
    <Loaded query={clients}>
      {(pages) =>
        rowsOf(pages).length > 0 || !may('createClient') ? (
          <NoLicenses />
        ) : (
          <Empty title={texts.overview.first} details={texts.overview.firstDetails}>
            <NewClient />
          </Empty>
        )
      }
    </Loaded>
  );
}
