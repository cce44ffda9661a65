import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { type Engine, EVERY_ENGINE } from '../engines.js';

/** `short` is what CI runs, `long` what docs/reliability.md reports. */
export const FORM = process.env.PROVE_FORM === 'short' ? 'short' : 'long';

/**
 * The seed of all random choices of the proofs. The requests can be repeated by it, but not the order in which
 * simultaneous callers are served.
 */
export const SEED = 20_261_121;

/** In the short form, SQLite alone for what does not depend on the engine. */
export const SOME_ENGINES: readonly Engine[] = FORM === 'short' ? ['SQLite'] : EVERY_ENGINE;

const RESULTS = 'test/prove/results';

/** What a proof has measured. */
export interface Outcome {
  /** The figures by name, which are printed in one line. */
  readonly figures: Readonly<Record<string, number | string>>;
  /** The violations of the promise, one sentence each; none where it holds. */
  readonly failures: readonly string[];
}

/** The number for the form of this run. */
export function times({ short, long }: { short: number; long: number }): number {
  return FORM === 'short' ? short : long;
}

/**
 * Declares a proof as a test on each engine, or on a cluster of several instances on MongoDB: prints its figures in one line,
 * writes them as JSON into the folder of results, and fails where the promise does not hold.
 *
 * @param proof number of the promise in docs/reliability.md
 */
export function prove<On extends Engine | 'cluster'>(
  proof: string,
  engines: readonly On[],
  run: (engine: On) => Promise<Outcome>,
): void {
  it.each(engines)(`${proof} on %s`, async (engine) => {
    const begun = Date.now();
    const { figures, failures } = await run(engine);
    const seconds = Math.round((Date.now() - begun) / 1000);
    const holds = failures.length === 0;
    const result = { proof, engine, form: FORM, holds, seed: SEED, seconds, figures };
    const shown = Object.entries({ ...figures, seconds }).map(
      ([name, value]) => `${name} ${value}`,
    );
    process.stdout.write(
      `${proof} on ${engine} ${holds ? 'holds' : 'FAILS'}: ${shown.join(', ')}\n`,
    );
    fs.mkdirSync(RESULTS, { recursive: true });
    fs.writeFileSync(
      `${RESULTS}/${proof}-${engine}-${FORM}.json`.toLowerCase(),
      `${JSON.stringify({ ...result, failures: failures.slice(0, 20), ...machine() }, null, 2)}\n`,
    );
    expect(failures.slice(0, 20)).toEqual([]);
  });
}

function machine() {
  const mongod = process.env.TEST_MONGOD;
  return {
    date: new Date().toISOString().slice(0, 10),
    cores: os.cpus().length,
    platform: `${os.type()} ${os.arch()}`,
    node: process.version,
    ...(mongod && {
      mongod: execFileSync(mongod, ['--version'], { encoding: 'utf8' }).split('\n', 1)[0],
    }),
  };
}
