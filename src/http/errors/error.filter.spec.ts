import { ForbiddenException } from '@nestjs/common';
import { rejectionOf } from './error.filter.js';

// The codes of other rejections, and failures, have their cases in test/e2e/security and test/e2e/service.
it('rejectionOf maps an exception of Nest without a code of its own to BAD_REQUEST, without its text', () => {
  const rejection = rejectionOf(new ForbiddenException('No entry'));
  expect(rejection).toMatchObject({ code: 'BAD_REQUEST', message: 'Bad request', fields: {} });
});
