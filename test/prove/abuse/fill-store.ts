import { LAPTOP, PASSWORD } from '../../e2e/developer.js';
import type { HttpCaller } from '../../http-caller.js';
import { times } from '../prove.js';

/** Half the licenses of the largest account. */
const HALF = times({ short: 1_000, long: 100_000 });
const ACCOUNTS = times({ short: 20, long: 100 });
/** Machines of a license with the shortest possible lease, so heartbeats move its end most often. */
export const MACHINES = times({ short: 1_000, long: 10_000 });
const LEASE = 300;
/** Concurrent requests. */
const AT_ONCE = 16;

/** An account with the ids of its clients and projects. Its password is {@link PASSWORD}. */
export interface FilledAccount {
  readonly email: string;
  readonly clients: readonly string[];
  readonly projects: readonly string[];
}

/** Clients of an account. Each has this many projects, with the same number of licenses each, half or none of them active. */
interface Size {
  readonly clients: number;
  readonly projects: number;
  readonly licenses: number;
  readonly areActive: boolean;
}

const ONE = { clients: 1, projects: 1, licenses: 1, areActive: false };

export async function fillStore(service: HttpCaller) {
  const vendor = await service.register();
  const { project } = await service.createLicense(vendor);
  const addLicense = (maxMachines: number) =>
    service.addLicense(vendor, project, { maxMachines, leaseSeconds: LEASE });
  const add = (...sizes: Size[]) => addAccount(service, sizes);
  const addAll = async (count: number, ...sizes: Size[]) => {
    const accounts: FilledAccount[] = [];
    while (accounts.length < count) accounts.push(await add(...sizes));
    return accounts;
  };
  const projects = Math.min(20, HALF / 500);
  return {
    collector: await add({ clients: 20, projects, licenses: 20, areActive: true }),
    creator: await add({ ...ONE, projects: 0 }),
    neighbor: await add(ONE),
    fat: await addFat(service),
    accounts: await addAll(ACCOUNTS),
    // Their machines are stored after the service has ended: one license has free seats, and one is full.
    roomy: await addLicense(1_000_000),
    full: await addLicense(MACHINES),
    // None of the first project's licenses is active, so it can be deleted.
    large: await add(
      { ...ONE, licenses: HALF },
      { clients: 100, projects: 1, licenses: HALF / 100, areActive: true },
    ),
  };
}

export type Filled = Awaited<ReturnType<typeof fillStore>>;

/** Fifteen notes, 8 kB. */
export const METADATA = Object.fromEntries(
  Array.from({ length: 15 }, (_, index) => [`note-${index}`, 'x'.repeat(500)]),
);

/** An account with a page of licenses of maximum size. */
async function addFat(service: HttpCaller): Promise<FilledAccount> {
  const user = await service.register({ password: PASSWORD });
  const { client, project } = await service.createLicense(user);
  await service.addLicenses(user, project, 100, { metadata: METADATA });
  return { email: user.email, clients: [client], projects: [project] };
}

async function addAccount(service: HttpCaller, sizes: readonly Size[]): Promise<FilledAccount> {
  const user = await service.register({ password: PASSWORD });
  const ids = { clients: [] as string[], projects: [] as string[] };
  const addProject = async (client: string, { licenses, areActive }: Size) => {
    const { project, license } = await service.createProject(user, client);
    ids.projects.push(project._id);
    const added = await service.addLicenses(user, project._id, licenses - 1);
    const keys = [license.key, ...added];
    const active = areActive ? keys.slice(licenses / 2) : [];
    while (active.length > 0) {
      await Promise.all(active.splice(0, AT_ONCE).map((key) => service.activate({ key }, LAPTOP)));
    }
  };
  for (const size of sizes) {
    for (let client = 0; client < size.clients; client++) {
      const { _id } = await service.createClient(user, { name: `Client ${client}` });
      ids.clients.push(_id);
      for (let i = 0; i < size.projects; i++) await addProject(_id, size);
    }
  }
  return { email: user.email, ...ids };
}
