import { queryOptions } from '@tanstack/react-query';
import { unlessGone } from '../api/api-error.js';
import { api } from '../api/client.js';
import { bodyOf, publicApi } from '../api/public-client.js';
import { randomKey } from '../api/random-key.js';
import type { LicensedService } from '../api/types.js';
import { OFFERED_SERVICES } from '../shared/deployment.js';
import { sample } from './sample-texts.js';

const DAY = 86_400_000;

/** The email address of the sample client, which gets no mail. Each account has its own. */
const emailOf = (account: string) => `${account}@sample.invalid`;

/** The client with the sample data; null if there is none. */
export const sampleQuery = (account: string) =>
  queryOptions({
    queryKey: ['clients', 'sample', account],
    queryFn: async () => {
      const query = { email: emailOf(account), limit: 1 };
      const { data } = await bodyOf(api.GET('/clients', { params: { query } }));
      return data[0] ?? null;
    },
  });

const findPlan = async () => {
  const params = { query: { name: sample.plan, limit: 1 } };
  return (await bodyOf(api.GET('/plans', { params }))).data[0];
};

const services = OFFERED_SERVICES.slice(0, 1) as LicensedService[];

/**
 * Creates a client with a license in each status. If it is interrupted, the user can remove the samples and
 * start again.
 */
export async function addSampleData(account: string, key: string): Promise<void> {
  const header = { 'Idempotency-Key': key };
  const { client } = await bodyOf(
    api.POST('/clients', {
      params: { header },
      body: { name: sample.client, email: emailOf(account) },
    }),
  );
  const plan = (await findPlan()) ?? (await createPlan());
  const { license, project } = await bodyOf(
    api.POST('/projects/createProject', {
      params: { header: { 'Idempotency-Key': randomKey() } },
      body: {
        ...{ clientId: client._id, projectName: sample.project, product: sample.product },
        ...{ plan: plan._id, services },
      },
    }),
  );
  const { licenses } = await bodyOf(
    api.POST('/projects/{id}/licenses/batch', {
      params: { path: { id: project._id }, header: { 'Idempotency-Key': randomKey() } },
      body: { plan: plan._id, services, count: 4 },
    }),
  );
  const [expiring, suspended, revoked] = licenses;
  for (const { key: licenseKey } of [license, expiring!]) await activate(licenseKey);
  const expiresAt = new Date(Date.now() + 14 * DAY).toISOString();
  const pathOf = ({ _id: id }: { readonly _id: string }) => ({ path: { id } });
  await bodyOf(api.PATCH('/licenses/{id}', { params: pathOf(expiring!), body: { expiresAt } }));
  await bodyOf(
    api.POST('/licenses/{id}/suspend', {
      params: pathOf(suspended!),
      body: { reason: sample.suspended },
    }),
  );
  await bodyOf(
    api.POST('/licenses/{id}/revoke', {
      params: pathOf(revoked!),
      body: { reason: sample.revoked },
    }),
  );
}

const createPlan = async () => {
  const body = { name: sample.plan, duration: 12, maxMachines: 5, services };
  return (await bodyOf(api.POST('/plans', { body }))).plan;
};

const activate = (key: string) =>
  bodyOf(
    publicApi.POST('/validate/activate', {
      body: {
        key,
        fingerprint: randomKey(),
        machineName: sample.machine,
        product: sample.product,
      },
    }),
  );

/** Deletes the client with its licenses, and the plan. */
export async function removeSampleData(id: string): Promise<void> {
  const plan = await findPlan();
  if (plan) {
    const params = { path: { id: plan._id } };
    await unlessGone(bodyOf(api.DELETE('/plans/{id}', { params })));
  }
  const params = { path: { id }, query: { withLicenses: true } };
  await unlessGone(bodyOf(api.DELETE('/clients/{id}', { params })));
  await untilUncounted();
}

/** The interval between reads in milliseconds, and their number. */
const PAUSE = 250;
const READS = 20;

/** The service removes licenses in the background. Until then, the overview includes them. */
async function untilUncounted(): Promise<void> {
  const params = { query: { product: sample.product, limit: 1, total: true } };
  for (let reads = 0; reads < READS; reads += 1) {
    const { total } = await bodyOf(api.GET('/licenses', { params }));
    if (!total) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}
