import { isDeepStrictEqual } from 'node:util';
import type { Change } from '../../src/storage/changes.js';
import type { AnyCollection } from '../../src/storage/collection.js';
import type { WritableStore } from '../../src/storage/writable-store.js';
import type { Random } from '../random.js';
import type { ModelStore } from './model-store.js';
import { type Caller, nextChanges, nextRace } from './random-changes.js';
import { nextRead, RandomValues } from './random-reads.js';
import { COLLECTIONS } from './records.js';

/** Reads after each step. */
const READS = 4;

/** What a commit did: how many records it affected, or the index of a change that failed. */
type Outcome = { readonly affected: number } | { readonly failed: number };

/**
 * Expects random commits and reads to have the same outcomes in a store as in a model with the same records. Up to five concurrent
 * commits must match a sequential order of them. Reads follow, one instance after the other.
 *
 * @param stores the store as seen by each instance of the service
 * @param around runs the commits of a step, and may disturb them
 */
export async function compareWithModel(
  stores: readonly WritableStore[],
  model: ModelStore,
  random: Random,
  steps: number,
  around: <T>(work: () => Promise<T>) => Promise<T> = (work) => work(),
): Promise<void> {
  const values = new RandomValues(random);
  const store = stores[0]!;
  const caller: Caller = { store, read: new Map() };
  const modelled = { store: model, read: new Map() as Caller['read'] };
  for (let step = 1; step <= steps; step += 1) {
    const count = random.of([1, 1, 2, 3, 4]);
    const drawn =
      count > 1 && values.isOneIn(2)
        ? nextRace(values)
        : Array.from({ length: count }, () => nextChanges(values, count === 1));
    const commits: Change[][] = [];
    const modelCommits: Change[][] = [];
    for (const commit of drawn) {
      commits.push(await commit(caller));
      modelCommits.push(await commit(modelled));
    }
    const outcomes = await around(() =>
      Promise.all(
        commits.map((commit, index) => outcomeOf(stores[index % stores.length]!, commit)),
      ),
    );
    const after = await inSomeOrder(modelled.store, modelCommits, outcomes, await contentOf(store));
    if (!after) {
      const all = `${toText(modelCommits)} has ${toText(outcomes)}`;
      throw new Error(`Step ${step}: in no order, ${all}`);
    }
    modelled.store = after;
    const reader = stores[step % stores.length]!;
    const all = Array.from({ length: READS }, () => nextRead(values));
    const [results, right] = await Promise.all(
      [reader, after].map((each) => Promise.all(all.map((read) => resultOf(each, read)))),
    );
    expect({ step, results }).toStrictEqual({ step, results: right });
  }
}

/** The model after commits in the first order that reproduces the outcomes and content of the other store. */
async function inSomeOrder(
  model: ModelStore,
  commits: readonly Change[][],
  outcomes: readonly Outcome[],
  content: unknown,
): Promise<ModelStore | undefined> {
  for (const order of permutations(commits.map((_, index) => index))) {
    const trial = model.copy();
    let isRight = true;
    for (const index of order) {
      isRight &&= await hasOutcome(trial, commits[index]!, outcomes[index]!);
    }
    if (isRight && isDeepStrictEqual(await contentOf(trial), content)) return trial;
  }
  return undefined;
}

async function hasOutcome(model: ModelStore, commit: Change[], outcome: Outcome): Promise<boolean> {
  if ('failed' in outcome) return model.failing(commit).includes(commit[outcome.failed]!);
  const committed = await model.commit(commit);
  return committed.ok && committed.affected === outcome.affected;
}

async function outcomeOf(store: WritableStore, commit: Change[]): Promise<Outcome> {
  const committed = await store.commit(commit);
  if (committed.ok) return { affected: committed.affected };
  expect(commit).toContain(committed.failed);
  return { failed: commit.indexOf(committed.failed) };
}

/** All records of some collections. */
export const recordsOf = (store: WritableStore, collections: readonly AnyCollection[]) =>
  Promise.all(
    collections.map((collection) =>
      store.list(collection, {}, { by: '_id', direction: 'asc' }, { limit: 1_000 }),
    ),
  );

const contentOf = async (store: WritableStore) =>
  withoutVersions(await recordsOf(store, COLLECTIONS));

/** The result of a read without versions, or the message of its error. */
async function resultOf(
  store: WritableStore,
  read: (store: WritableStore) => Promise<unknown>,
): Promise<unknown> {
  try {
    return withoutVersions(await read(store));
  } catch (error) {
    return (error as Error).message;
  }
}

function withoutVersions(result: unknown): unknown {
  if (result instanceof Map)
    return [...result].toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  if (Array.isArray(result)) return Array.from(result, withoutVersions);
  if (typeof result !== 'object' || result === null) return result;
  return { ...result, version: undefined };
}

const toText = (all: unknown) =>
  JSON.stringify(all, (name, value: unknown) =>
    name === 'collection' ? (value as { name: string }).name : value,
  );

const permutations = (items: readonly number[]): number[][] =>
  items.length < 2
    ? [[...items]]
    : items.flatMap((item) =>
        permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
      );
