export type Action =
  | { readonly kind: 'activate' | 'validate'; readonly machine: string }
  | { readonly kind: 'revoke'; readonly reason: string }
  | { readonly kind: 'renew' | 'reissue' | 'read' };

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
  const firstEnd = Math.min(...left.map(({ ended }) => ended));
  /** The actions that may come next by their times, and have the outcome of the model. */
  const explained = left
    .filter(({ began }) => began <= firstEnd)
    .map((observed) => ({ observed, ...apply(state, observed.action) }))
    .filter(({ observed, outcome }) => outcome === observed.outcome);
  // An action that changes nothing can always come first: every other order remains possible.
  const reading = explained.find(({ next }) => next === state);
  const candidates = reading ? [reading] : explained;
  const after = (observed: Observed) => left.filter((other) => other !== observed);
  return (
    left.length === 0 || candidates.some(({ observed, next }) => search(after(observed), next))
  );
}

interface State {
  readonly status: 'PENDING' | 'ACTIVE' | 'REVOKED';
  readonly machine: string | null;
  readonly months: number;
  readonly reason: string | null;
}

const ISSUED: State = { status: 'PENDING', machine: null, months: 6, reason: null };

/** The sequential model: the outcome of an action in a state, and the state after it; the same object where nothing changes. */
function apply(state: State, action: Action) {
  const { status, machine, months, reason } = state;
  const response = (outcome: string, changed?: Partial<State>) => {
    return { outcome, next: changed ? { ...state, ...changed } : state };
  };
  switch (action.kind) {
    case 'activate':
      if (status === 'REVOKED') return response('LICENSE_REVOKED');
      if (status === 'PENDING') {
        return response('activated', { status: 'ACTIVE', machine: action.machine });
      }
      return response(
        machine === action.machine ? 'activated again' : 'LICENSE_ON_ANOTHER_MACHINE',
      );
    case 'validate':
      if (status === 'REVOKED') return response('revoked');
      if (status === 'PENDING') return response('pending');
      return response(machine === action.machine ? 'active' : 'machine_mismatch');
    case 'revoke':
      if (status === 'REVOKED') return response(`REVOKED ${reason}`);
      return response(`REVOKED ${action.reason}`, { status: 'REVOKED', reason: action.reason });
    case 'renew':
      if (status === 'REVOKED') return response('LICENSE_ALREADY_REVOKED');
      if (status === 'PENDING') return response('LICENSE_NOT_ACTIVATED');
      return response(`${months + 1} months`, { months: months + 1 });
    case 'reissue':
      if (status === 'REVOKED') return response('LICENSE_ALREADY_REVOKED');
      return response('REVOKED Reissued', { status: 'REVOKED', reason: 'Reissued' });
    case 'read':
      return response(`${status} ${months} months ${reason}`);
  }
}
