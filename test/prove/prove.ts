import { type Engine, EVERY_ENGINE } from '../engines.js';

/** CI runs `short`; docs/contribute/reliability.md reports `long`. */
export const FORM = process.env.PROVE_FORM === 'short' ? 'short' : 'long';

/** The seed of all random choices of the proofs. It reproduces the requests, but not the order in which concurrent callers are served. */
export const SEED = 20_261_121;

/** In the short form, only SQLite for proofs that do not depend on the engine. */
export const SOME_ENGINES: readonly Engine[] = FORM === 'short' ? ['SQLite'] : EVERY_ENGINE;

/** The measurements of a proof. */
export interface Outcome {
  /** The figures by name, printed on one line. */
  readonly figures: Readonly<Record<string, number | string>>;
  /** The violations of the promise, one sentence each; empty if it holds. */
  readonly failures: readonly string[];
}

/** The number for the form of this run. */
export function times({ short, long }: { short: number; long: number }): number {
  return FORM === 'short' ? short : long;
}

/**
 * Declares a proof as a test on each engine, or on a cluster of several instances on MongoDB. Prints its figures on one line,
 * and fails if the promise does not hold.
 *
 * @param proof number of the promise in docs/contribute/reliability.md
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
    const shown = Object.entries({ ...figures, seconds }).map(
      ([name, value]) => `${name} ${value}`,
    );
    process.stdout.write(
      `${proof} on ${engine} ${failures.length === 0 ? 'holds' : 'FAILS'}: ${shown.join(', ')}\n`,
    );
    expect(failures.slice(0, 20)).toEqual([]);
  });
}
