/** An action of a caller on the license. */
export type Action =
  | { readonly kind: 'activate' | 'validate'; readonly machine: string }
  | { readonly kind: 'revoke'; readonly reason: string }
  | { readonly kind: 'renew' | 'reissue' | 'read' };

/** The license in the sequential model. */
export interface State {
  readonly status: 'PENDING' | 'ACTIVE' | 'REVOKED';
  readonly machine: string | null;
  readonly months: number;
  readonly reason: string | null;
}

export const ISSUED: State = { status: 'PENDING', machine: null, months: 6, reason: null };

export interface Step {
  readonly outcome: string;
  readonly next: State;
}

/** The sequential model: the outcome of an action in a state, and the state after it; the same object where nothing changes. */
export function apply(state: State, action: Action): Step {
  const { status, machine, months, reason } = state;
  const response = (outcome: string, changed?: Partial<State>): Step => ({
    outcome,
    next: changed ? { ...state, ...changed } : state,
  });
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
