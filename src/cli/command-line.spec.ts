import { DomainError } from '../shared/errors/domain-error.js';
import { StartupError } from '../shared/errors/startup-error.js';
import { CommandError, describeFailure, UsageError } from './command-error.js';
import { parseSigningKeysCommand } from './signing-keys-command.js';
import { parseUserCommand } from './user-command.js';

const EMAIL = 'a@b.example';
const FILES = { email: EMAIL, file: 'keys.json' };

describe.each<[string, (args: string[]) => object, [string, object][], [string, string][]]>([
  [
    'npm run user --',
    parseUserCommand,
    [
      [`create ${EMAIL}`, { action: 'create', email: EMAIL, name: undefined }],
      [`create --name=Ada ${EMAIL}`, { action: 'create', email: EMAIL, name: 'Ada' }],
      [`reset-password ${EMAIL}`, { action: 'reset-password', email: EMAIL }],
      ['list', { action: 'list' }],
      [`disable ${EMAIL}`, { action: 'disable', email: EMAIL }],
      [`enable ${EMAIL}`, { action: 'enable', email: EMAIL }],
      [`delete ${EMAIL}`, { action: 'delete', email: EMAIL, withLicenses: false }],
      [`delete --with-licenses ${EMAIL}`, { action: 'delete', email: EMAIL, withLicenses: true }],
    ],
    [
      ['', 'A command is missing.'],
      [`remove ${EMAIL}`, 'There is no command remove.'],
      [`toString ${EMAIL}`, 'There is no command toString.'],
      [`list ${EMAIL}`, 'list takes no e-mail address.'],
      ['disable', 'disable takes an e-mail address.'],
      [`disable ${EMAIL} --with-licenses`, 'disable takes no --with-licenses.'],
      [`delete ${EMAIL} --name Ada`, 'delete takes no --name.'],
      [`create ${EMAIL} c@d.example`, 'create takes exactly one e-mail address.'],
      [`create ${EMAIL} --password x`, "Unknown option '--password'."],
      [`create ${EMAIL} --name`, "Option '--name <value>' argument missing."],
    ],
  ],
  [
    'npm run signing-keys --',
    parseSigningKeysCommand,
    [
      [`export ${EMAIL} keys.json`, { action: 'export', ...FILES, replace: false }],
      [`import ${EMAIL} keys.json`, { action: 'import', ...FILES, replace: false }],
      [`import --replace ${EMAIL} keys.json`, { action: 'import', ...FILES, replace: true }],
    ],
    [
      ['', 'A command is missing.'],
      [`rotate ${EMAIL} keys.json`, 'There is no command rotate.'],
      [`export ${EMAIL}`, 'export takes an e-mail address and a file.'],
      [`import ${EMAIL} keys.json more`, 'import takes an e-mail address and a file.'],
      [`export ${EMAIL} keys.json --replace`, 'export takes no --replace.'],
      [`import ${EMAIL} keys.json --force`, "Unknown option '--force'."],
    ],
  ],
])('%s', (_program, parse, accepted, rejected) => {
  const read = (line: string) => parse(line.split(' ').filter(Boolean));

  it.each(accepted)('parses %j', (line, command) => {
    expect(read(line)).toEqual(command);
  });

  it.each(rejected)('rejects %j with one sentence', (line, sentence) => {
    expect(() => read(line)).toThrow(UsageError);
    expect(() => read(line)).toThrow(new Error(sentence));
  });
});

it.each([
  [new UsageError('A command is missing.'), 'A command is missing.\n\nUsage: …'],
  [new CommandError('There is no account a@b.example.'), 'There is no account a@b.example.'],
  [new StartupError('PORT takes a whole number.'), 'PORT takes a whole number.'],
  [new DomainError('EMAIL_ALREADY_REGISTERED'), 'Email already registered.'],
  [new Error('disk I/O error'), 'disk I/O error'],
])('a command prints %s without a stack', (error, text) => {
  expect(describeFailure(error, 'Usage: …')).toBe(text);
});
