import { NO_LIMITS } from '../no-limits.js';
import { Cluster } from './cluster/cluster.js';
import { buildPreviousVersion } from './cluster/previous-version.js';
import { rollingUpgrade } from './cluster/rolling-upgrade.js';
import { prove } from './prove.js';

describe('Four instances of the version before on a replica set', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await Cluster.start(NO_LIMITS, buildPreviousVersion());
  });
  afterAll(() => cluster?.leave());

  prove('upgrade', 'cluster', () => rollingUpgrade(cluster));
});
