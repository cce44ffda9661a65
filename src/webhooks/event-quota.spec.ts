import { aClient, aPrincipal, aProject } from '../../test/builders.js';
import { useServices } from '../../test/services.js';
import { type Event, EVENTS, record } from '../events/event.js';
import { machineActor, dailyLicenseEvent, licenseEvent } from '../licenses/license-events.js';
import type { License } from '../licenses/license.js';
import { Config, type LimitName } from '../shared/config/config.js';
import type { AccountId } from '../shared/ids.js';
import { Decisions } from '../storage/decisions.js';
import { DELIVERIES } from './delivery.js';
import { WebhooksService } from './webhooks.service.js';

const BYTES = 2_000;
const MACHINES = 10;

describe('The event quota', () => {
  const { store, clock, the, addAccount, addLicense, inSession } = useServices();
  let accountId: AccountId;
  let owner: ReturnType<typeof aPrincipal>;
  beforeEach(async () => {
    owner = await inSession(await addAccount());
    ({ accountId } = owner);
    limit('events', BYTES);
    limit('accessEvents', BYTES);
    limit('machineEvents', MACHINES);
  });

  const limit = (name: LimitName, requests: number) => {
    const { limits } = the(Config);
    jest.replaceProperty(limits, name, { ...limits[name], requests });
  };
  const stored = (type: string) => store.all(EVENTS).filter((event) => event.type === type);
  const commit = (type: 'plan.updated' | 'webhook.test' | 'member.removed', name = 'Basic') =>
    the(Decisions).commit([record(type, { accountId, _id: accountId, name }, clock.now())]);
  const activate = async (license: License, machineId: string) => {
    const by = machineActor({ machineId });
    const event = { data: { machineId }, by };
    const now = clock.now();
    const activated = await dailyLicenseEvent(store, 'activated', license, machineId, now, event);
    await the(Decisions).commit([activated]);
  };

  it('counts further events of an account in one event per type and day, which is sent to webhooks once', async () => {
    const url = 'https://1.1.1.1/hook';
    await the(WebhooksService).create(owner, { url, types: ['*'], description: null });
    for (let times = 0; times < 20; times += 1) await commit('plan.updated');
    const { length } = stored('plan.updated');
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThan(5);
    const [omitted] = stored('account.events_omitted') as [Event];
    expect(stored('account.events_omitted')).toEqual([omitted]);
    expect(omitted).toMatchObject({ count: 20 - length, subject: accountId, actorType: 'system' });
    expect(omitted.data).toEqual({ type: 'plan.updated' });
    const delivered = store.all(DELIVERIES).filter(({ event }) => event === omitted._id);
    expect(delivered).toHaveLength(1);
    clock.advance({ seconds: 86_400 });
    await commit('plan.updated');
    expect(stored('plan.updated')).toHaveLength(length + 1);
  });

  it('is separate for each kind of access event, so other kinds cannot crowd them out', async () => {
    for (const type of ['plan.updated', 'webhook.test'] as const) {
      for (let times = 0; times < 20; times += 1) await commit(type);
    }
    await commit('member.removed');
    expect(stored('member.removed')).toHaveLength(1);
    expect(
      stored('account.events_omitted')
        .map(({ data }) => data.type)
        .sort(),
    ).toEqual([...['plan.updated', 'webhook.test']]);
  });

  it('limits the events that machines cause on a license by its machine count, but no events caused by the vendor', async () => {
    const project = aProject(aClient({ owner: accountId }));
    const small = await addLicense(project, { leaseSeconds: 60, maxMachines: 1 });
    const large = await addLicense(project, { leaseSeconds: 60, maxMachines: MACHINES });
    limit('events', 0);
    for (let machine = 0; machine < 3 * MACHINES; machine += 1) {
      await activate(small, `machine ${machine}`);
      await activate(large, `machine ${machine}`);
      // It is counted again.
      await activate(small, 'machine 0');
    }
    const count = ({ _id }: License) =>
      stored('license.activated').filter(({ subject }) => subject === _id).length;
    expect([count(small), count(large)]).toEqual([MACHINES, 3 * MACHINES]);
    expect(stored('license.events_omitted')).toMatchObject([
      { subject: small._id, count: 2 * MACHINES, data: { type: 'license.activated' } },
    ]);
    await the(Decisions).commit([licenseEvent('suspended', small, clock.now())]);
    expect(stored('license.suspended')).toHaveLength(1);
  });
});
