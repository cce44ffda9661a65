import { type Action, isLinearizable, type Observed } from './linearize.js';

const on = (kind: 'activate' | 'validate', machine: string): Action => ({ kind, machine });
const REVOKE: Action = { kind: 'revoke', reason: 'Refunded' };

const seen = (action: Action, began: number, ended: number, outcome: string): Observed => {
  return { action, began, ended, outcome };
};

/** A validation that is still active, beside a revocation from 2 to 6. */
const activeFrom = (began: number) => [
  seen(on('activate', 'a'), 0, 1, 'activated'),
  seen(REVOKE, 2, 6, 'REVOKED Refunded'),
  seen(on('validate', 'a'), began, 9, 'active'),
];

it.each<[string, boolean, Observed[]]>([
  [
    'concurrent actions that some order explains',
    true,
    [...activeFrom(5), seen(on('activate', 'b'), 0, 3, 'LICENSE_ON_ANOTHER_MACHINE')],
  ],
  [
    'two machines that were both bound',
    false,
    ['a', 'b'].map((machine) => seen(on('activate', machine), 0, 9, 'activated')),
  ],
  ['active, begun after the revocation was acknowledged', false, activeFrom(7)],
  [
    'a renewal that was acknowledged and lost',
    false,
    [
      seen(on('activate', 'a'), 0, 1, 'activated'),
      seen({ kind: 'renew' }, 2, 5, '7 months'),
      seen({ kind: 'renew' }, 3, 6, '7 months'),
    ],
  ],
])('isLinearizable judges %s: %s', (_case, expected, history) => {
  expect(isLinearizable(history)).toBe(expected);
});
