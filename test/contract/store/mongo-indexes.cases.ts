import type { mongo } from 'mongoose';
import { type License, LICENSE_STATUSES } from '../../../src/licenses/license.js';
import type { LicenseQuery } from '../../../src/licenses/licenses.repository.js';
import { newAccountId } from '../../../src/shared/ids/account-id.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { aCertification, activeUntil, aReissue } from '../../builders/license.builder.js';
import { at } from '../../builders/time.js';
import { describeOnMongo } from '../../engines.js';
import { MongoUnderTest } from '../mongo.engine.js';
import { firstPage } from '../pages.js';
import { useStore } from '../use-store.js';

/** The licenses of another product, beside the few that are listed. */
const OTHERS: Partial<License>[] = Array.from({ length: 10 }, () => [
  {},
  activeUntil(at(99)),
  activeUntil(at(5)),
  { status: 'REVOKED' as const },
]).flat();
const EVERYTHING = { client: undefined, project: undefined, expiresBefore: undefined };

/** The parts of a command `find` that determine its plan. */
const QUERY = ['find', 'filter', 'sort', 'limit'];

/** A step of a query plan. */
interface Stage {
  readonly stage: string;
  readonly indexName?: string;
  readonly inputStage?: Stage;
}

describeOnMongo('the indexes on MongoDB', () => {
  const finds: mongo.Document[] = [];
  const owner = newAccountId();
  let license: License;
  const { store, stored } = useStore(() => {
    const uri = new URL(String(process.env.TEST_MONGODB_URI));
    uri.searchParams.set('monitorCommands', 'true');
    return MongoUnderTest.open(uri.href);
  });

  beforeAll(async () => {
    const client = await stored.client({ owner });
    const { project } = await stored.project(client, { product: 'shop' });
    license = await stored.licenseOf(project, activeUntil(at(99)));
    await store.licenses.certify(aCertification(license));
    for (const other of OTHERS) await stored.project(client, { product: 'forum' }, other);
    store.connection.getClient().on('commandStarted', ({ commandName, command }) => {
      if (commandName === 'find') finds.push(command);
    });
  });

  /** The stages of the plan of the last query that these calls sent, the last stage first. */
  const planOf = async (read: () => Promise<unknown>): Promise<Stage[]> => {
    await read();
    const parts = Object.entries(finds.at(-1)!).filter(([name]) => QUERY.includes(name));
    const query = Object.fromEntries<unknown>(parts);
    const { db } = store.connection;
    const explained = await db!.command({ explain: query, verbosity: 'queryPlanner' });
    const stages: Stage[] = [];
    const { winningPlan } = explained.queryPlanner as {
      winningPlan: Stage & { queryPlan?: Stage };
    };
    for (let stage: Stage | undefined = winningPlan.queryPlan ?? winningPlan; stage;) {
      stages.push(stage);
      stage = stage.inputStage;
    }
    return stages;
  };

  const indexesOf = (plan: Stage[]) =>
    plan.flatMap(({ indexName }) => (indexName === undefined ? [] : [indexName]));
  const expectSortedBy = (plan: Stage[], index: string) => {
    expect(indexesOf(plan)).toStrictEqual([index]);
    expect(plan.map(({ stage }) => stage)).not.toContain('SORT');
  };
  const licensesOf = (query: Pick<LicenseQuery, 'status' | 'sort' | 'order'>) =>
    planOf(() => {
      const listed: LicenseQuery = { ...EVERYTHING, ...query, product: 'shop' };
      return store.licenses.listOwned(owner, listed, firstPage(20), at(9));
    });

  const orders = (['createdAt', 'expiresAt'] as const).flatMap((sort) =>
    (['asc', 'desc'] as const).map((order) => ({ sort, order })),
  );

  it.each(orders)('hold the licenses of a product by $sort, $order', async (order) => {
    const plan = await licensesOf({ status: undefined, ...order });
    expectSortedBy(plan, `user_1_product_1_${order.sort}_-1__id_-1`);
  });

  it.each(LICENSE_STATUSES)('read only licenses of a product among those %s', async (status) => {
    for (const order of orders) {
      const indexes = indexesOf(await licensesOf({ status, ...order }));
      expect(indexes).toStrictEqual([expect.stringMatching(/^user_1_product_1_/)]);
    }
  });

  it('hold the projects of a product in the order of the list', async () => {
    const query = { client: undefined, product: 'shop' };
    for (const after of [undefined, { time: at(9), _id: newObjectId() }]) {
      const plan = await planOf(() => store.projects.listOwned(owner, query, { limit: 20, after }));
      expectSortedBy(plan, 'owner_1_product_1_createdAt_-1__id_-1');
    }
  });

  it('hold only records with a product', async () => {
    for (const [collection, index] of [
      ['licenses', 'user_1_product_1_createdAt_-1__id_-1'],
      ['licenses', 'user_1_product_1_expiresAt_-1__id_-1'],
      ['projects', 'owner_1_product_1_createdAt_-1__id_-1'],
    ] as const) {
      const indexes = await store.collection(collection).indexes();
      expect(indexes.find(({ name }) => name === index)).toMatchObject({
        partialFilterExpression: { product: { $gt: '' } },
      });
    }
  });

  it('hold the ends of the certificates of a license', async () => {
    const plan = await planOf(() => store.licenses.reissue(aReissue(license)));
    expectSortedBy(plan, 'license_1_certificateExpiresAt_-1');
  });
});
