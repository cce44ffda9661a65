import type { License } from '../../console/src/api/types.js';
import { nameOf } from '../../console/src/licenses/license-name.js';

it('The name of a license keeps the order of a client and a project that are written from right to left', () => {
  const names = { clientName: 'مكتبة', projectName: 'متجر' };
  const name = nameOf({ keyHint: '93KD', ...names } as License);
  expect(name).toBe('•••• 93KD · \u2068مكتبة\u2069 · \u2068متجر\u2069');
});
