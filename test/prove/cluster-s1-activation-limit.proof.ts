import { NO_LIMITS } from '../no-limits.js';
import { activationLimit } from './cluster/activation-limit.js';
import { Cluster } from './cluster/cluster.js';
import { prove } from './prove.js';

const ENV = { ...NO_LIMITS, ACTIVATION_LIMIT: '' };

describe('The activation limit of four instances on a replica set', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await Cluster.start(ENV);
  });
  afterAll(() => cluster?.leave());

  prove('S1', 'cluster', () => activationLimit(cluster));
});
