import { isLinearizable, type Observed } from './linearize.js';
import type { Action } from './model.js';

const on = (kind: 'activate' | 'validate', machine: string): Action => ({ kind, machine });
const REVOKE: Action = { kind: 'revoke', reason: 'Refunded' };

const seen = (action: Action, [began, ended]: [number, number], outcome: string): Observed => ({
  action,
  began,
  ended,
  outcome,
});

describe('isLinearizable', () => {
  it('accepts concurrent actions if any order explains them', () => {
    expect(
      isLinearizable([
        seen(on('validate', 'a'), [0, 9], 'active'),
        seen(on('activate', 'b'), [1, 9], 'LICENSE_ON_ANOTHER_MACHINE'),
        seen(on('activate', 'a'), [2, 9], 'activated'),
      ]),
    ).toBe(true);
  });

  it('rejects two machines that were both bound', () => {
    expect(
      isLinearizable([
        seen(on('activate', 'a'), [0, 9], 'activated'),
        seen(on('activate', 'b'), [1, 9], 'activated'),
      ]),
    ).toBe(false);
  });

  it.each([
    ['began before the revocation was acknowledged', 5, true],
    ['began after it', 7, false],
  ])(
    'accepts a valid outcome that %s only where it is linearizable',
    (_case, began, linearizable) => {
      expect(
        isLinearizable([
          seen(on('activate', 'a'), [0, 1], 'activated'),
          seen(REVOKE, [2, 6], 'REVOKED Refunded'),
          seen(on('validate', 'a'), [began, 9], 'active'),
        ]),
      ).toBe(linearizable);
    },
  );

  it('rejects a renewal that was acknowledged and lost', () => {
    expect(
      isLinearizable([
        seen(on('activate', 'a'), [0, 1], 'activated'),
        seen({ kind: 'renew' }, [2, 5], '7 months'),
        seen({ kind: 'renew' }, [3, 6], '7 months'),
      ]),
    ).toBe(false);
  });
});
