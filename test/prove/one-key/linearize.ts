import { type Action, apply, ISSUED, type State } from './model.js';

/** One action with its times on a monotonic clock, and its outcome for the caller. */
export interface Observed {
  readonly action: Action;
  readonly began: number;
  readonly ended: number;
  readonly outcome: string;
}

/**
 * Whether some order of the actions explains all outcomes by the sequential model, in which no action
 * comes after one that began when it had already ended (Wing and Gong's test of linearizability).
 */
export function isLinearizable(history: readonly Observed[]): boolean {
  return search(history, ISSUED);
}

function search(left: readonly Observed[], state: State): boolean {
  const explained = explainedBy(state, left);
  // An action that changes nothing can always come first: every other order remains possible.
  const reading = explained.find(({ next }) => next === state);
  const candidates = reading ? [reading] : explained;
  return (
    left.length === 0 ||
    candidates.some(({ observed, next }) =>
      search(
        left.filter((other) => other !== observed),
        next,
      ),
    )
  );
}

/** The actions that may come next by their times, and have the outcome of the model. */
function explainedBy(state: State, left: readonly Observed[]) {
  const firstEnd = Math.min(...left.map(({ ended }) => ended));
  return left
    .filter(({ began }) => began <= firstEnd)
    .map((observed) => ({ observed, ...apply(state, observed.action) }))
    .filter(({ observed, outcome }) => outcome === observed.outcome);
}
