import { Cluster } from './cluster/cluster.js';
import { failover } from './cluster/failover.js';
import { revocations } from './cluster/revocations.js';
import { rollingRestart } from './cluster/rolling-restart.js';
import { storeOutage } from './cluster/store-outage.js';
import { webhooks } from './cluster/webhooks.js';
import { raceForPlaces } from './race-for-places.js';
import { prove } from './prove.js';

describe('Four instances on a replica set', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await Cluster.start();
  });
  afterAll(() => cluster?.leave());

  prove('R4', 'cluster', () => failover(cluster));
  prove('R5', 'cluster', () => storeOutage(cluster));
  prove('R6', 'cluster', () => revocations(cluster));
  prove('R7', 'cluster', () => rollingRestart(cluster));
  prove('R13', 'cluster', () => webhooks(cluster));
  prove('R15', 'cluster', () => raceForPlaces(cluster.instances));
});
