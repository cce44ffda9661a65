// Fills the store of the service that the environment configures, before it is started, and prints the accounts and keys as
// JSON. The argument is half of the number of licenses of the largest account.
import { hash } from '@node-rs/argon2';
import { Fill } from '../../../bench/lib/fill.mjs';

const HALF = Number(process.argv[2]);
const ACCOUNTS = 100;

const { PASSWORD } = process.env;
const passwordHash = await hash(PASSWORD, { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 });
const store = await Fill.open(process.env, passwordHash);
/** Adds accounts without their keys. */
const addAll = async (count, ...sizes) => {
  const accounts = await store.addAll(count, ...sizes);
  return accounts.map(({ email, clients, projects }) => ({ email, clients, projects }));
};
// 40 licenses, each of which is validated every two seconds, within the limit of its key.
const { keys } = await store.add({ clients: 1, projects: 1, pending: 0, active: 40 });
// An account with 8,000 licenses in the long form, one with one client, and accounts without records.
const projects = Math.min(20, HALF / 500);
const [collector] = await addAll(1, { clients: 20, projects, pending: 10, active: 10 });
const [creator] = await addAll(1, { clients: 1, projects: 0, pending: 0, active: 0 });
const accounts = await addAll(ACCOUNTS);
// An account half of whose licenses are in the first project, none of them active: it can be deleted.
const [large] = await addAll(
  1,
  { clients: 1, projects: 1, pending: HALF, active: 0 },
  { clients: 100, projects: 1, pending: HALF / 200, active: HALF / 200 },
);
await store.end();
process.stdout.write(JSON.stringify({ keys, collector, creator, accounts, large }));
