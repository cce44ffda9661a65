import { FORM, type Outcome, times } from '../prove.js';
import { MAX_CONNECTIONS } from './loads.js';
import type { Measured } from './measure.js';
import { counted, type StuckResult, totalOf } from './results.js';

/** The reason of a validation that had no response in time, as customer.mjs has it. */
const TIMEOUT = 'a timeout';
/** Longest p99 of the customer, in milliseconds. */
const LONGEST = 250;
/**
 * Most resident memory, in MB. In the short form each load begins a few seconds after the one before, before V8 has
 * released memory.
 */
const MEMORY = times({ short: 500, long: 400 });
/** Longest that a connection without progress may be kept, in seconds; the short form allows for a slow machine. */
export const KEPT = times({ short: 60, long: 25 });
/** Most connections: the service may hold a few more that it is about to close. */
const CONNECTIONS = MAX_CONNECTIONS * 1.02;

/** The results of a run, by the name of each load. */
export interface Run {
  readonly loads: Readonly<Record<string, Measured>>;
  /** The connections without progress that were opened beside the loads. */
  readonly stuck?: StuckResult | undefined;
}

/** R10: no load affects the customer's license checks. */
export function checksOutcome(run: Run): Outcome {
  // The effect of too many connections belongs to R12.
  const named = Object.entries(run.loads).filter(([name]) => name !== 'connections');
  const loads = Object.fromEntries(named);
  return {
    figures: mapValues(loads, ({ validations: { sent, rejected, p50, p99 } }) => {
      return `${totalOf(rejected)} of ${sent} rejected, p50 ${inMs(p50)}, p99 ${inMs(p99)}`;
    }),
    details: mapValues(run.loads, describeMeasured),
    failures: failuresOf(loads, (measured) => [
      ...customerFailures(measured),
      ...('failures' in measured.result ? responseFailures(measured.result.failures) : []),
    ]),
  };
}

/** R12: memory and connections are bounded. */
export function boundsOutcome({ loads, stuck }: Run): Outcome {
  const { connections } = loads;
  return {
    figures: {
      ...mapValues(loads, ({ megabytes, connections }) => {
        return `${megabytes} MB and ${connections} connections at most`;
      }),
      ...(stuck && { stuck: describeStuck(stuck) }),
    },
    failures: [
      ...failuresOf(loads, ({ megabytes, result }) => [
        ...(megabytes > MEMORY ? [`${megabytes} MB`] : []),
        ...('longest' in result ? keptFailures(result) : []),
      ]),
      ...(stuck ? failuresOf({ stuck }, keptFailures) : []),
      ...(connections ? failuresOf({ connections }, connectionFailures) : []),
    ],
  };
}

/** The results of the customer and of the load in one line. */
export function describeMeasured({
  validations,
  result,
  megabytes,
  connections,
}: Measured): string {
  const { sent, rejected, p50, p99, late } = validations;
  const reasons = totalOf(rejected) > 0 ? ` (${counted(rejected)})` : '';
  return [
    `${sent} validations, ${totalOf(rejected)} rejected${reasons}`,
    `p50 ${inMs(p50)}, p99 ${inMs(p99)}, sent up to ${inMs(late)} late`,
    `${megabytes} MB`,
    `${connections} connections at most`,
    'statuses' in result
      ? `load got ${counted(result.statuses)}, ${result.opened} connections, ${result.closed} of them closed`
      : `load had ${describeStuck(result)}`,
  ].join('; ');
}

function describeStuck({ opened, longest, openAtEnd }: StuckResult): string {
  const kinds = Object.entries(longest).map(([kind, seconds]) => `${kind} ${seconds} s`);
  return `${opened} connections, kept at most: ${kinds.join(', ')}; ${openAtEnd} open at the end`;
}

const inMs = (time: number | null) => (time === null ? 'none' : `${time} ms`);

function customerFailures({ validations: { sent, rejected, p99 } }: Measured): string[] {
  const { [TIMEOUT]: late = 0, ...others } = rejected;
  // A busy machine may take longer than the customer waits: in the short form, that is printed only.
  const total = totalOf(others) + (FORM === 'long' ? late : 0);
  return [
    ...(total > 0 ? [`${total} of ${sent} validations rejected: ${counted(rejected)}`] : []),
    ...(p99 !== null && p99 > LONGEST && FORM === 'long' ? [`a p99 of ${p99} ms`] : []),
  ];
}

function responseFailures(failures: Readonly<Record<string, number>>): string[] {
  return totalOf(failures) > 0 ? [`others got ${counted(failures)}`] : [];
}

function keptFailures({ longest }: StuckResult): string[] {
  const kept = Object.entries(longest).filter(([, seconds]) => seconds > KEPT);
  return kept.map(([kind, seconds]) => `a connection (${kind}) was kept for ${seconds} s`);
}

function connectionFailures(measured: Measured): string[] {
  const { connections, result } = measured;
  if (!('statuses' in result)) return [];
  return [
    ...customerFailures(measured),
    ...(connections > CONNECTIONS ? [`${connections} connections at once`] : []),
    // In the short form, a busy machine may not open enough.
    ...(result.closed === 0 && (FORM === 'long' || result.opened > CONNECTIONS)
      ? [`${result.opened} connections were opened, and none closed`]
      : []),
    ...(result.withoutResponse > 0
      ? [`${result.withoutResponse} were neither served nor closed`]
      : []),
    ...(result.statuses[200] ? [] : ['nobody was served']),
  ];
}

function failuresOf<T>(
  values: Readonly<Record<string, T>>,
  failures: (value: T) => string[],
): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    failures(value).map((failure) => `${name}: ${failure}`),
  );
}

function mapValues<T>(values: Readonly<Record<string, T>>, toFigure: (value: T) => string) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toFigure(value)]));
}
