import { DomainError } from '../shared/errors/domain-error.js';
import { StartupError } from '../shared/errors/startup-error.js';
import { CommandError, describeFailure, UsageError } from './command-error.js';

it.each([
  [new UsageError('A command is missing.'), 'A command is missing.\n\nUsage: …'],
  [new CommandError('There is no account a@b.example.'), 'There is no account a@b.example.'],
  [new StartupError('PORT takes a whole number.'), 'PORT takes a whole number.'],
  [new DomainError('EMAIL_ALREADY_REGISTERED'), 'Email already registered.'],
  [new Error('disk I/O error'), 'disk I/O error'],
])('describeFailure prints %s without a stack', (error, text) => {
  expect(describeFailure(error, 'Usage: …')).toBe(text);
});
