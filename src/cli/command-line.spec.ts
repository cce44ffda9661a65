import { DomainError } from '../shared/errors/domain-error.js';
import { StartupError } from '../shared/errors/startup-error.js';
import { CommandError, describeFailure } from './command-error.js';
import { signingKeysProgram } from './signing-keys-program.js';
import { userProgram } from './user-program.js';

const EMAIL = 'a@b.example';
const FILES = { email: EMAIL, file: 'keys.json' };

describe.each([
  [
    userProgram,
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
      ['', 'Usage: npm run user -- '],
      [`remove ${EMAIL}`, "unknown command 'remove'"],
      [`list ${EMAIL}`, "too many arguments for 'list'"],
      ['disable', "missing required argument 'EMAIL'"],
      [`disable ${EMAIL} --with-licenses`, "unknown option '--with-licenses'"],
      [`create ${EMAIL} c@d.example`, "too many arguments for 'create'"],
      [`create ${EMAIL} --name`, "'--name <NAME>' argument missing"],
    ],
  ],
  [
    signingKeysProgram,
    [
      [`export ${EMAIL} keys.json`, { action: 'export', ...FILES }],
      [`import ${EMAIL} keys.json`, { action: 'import', ...FILES }],
      [`import --replace ${EMAIL} keys.json`, { action: 'import', ...FILES, replace: true }],
      [`import ${EMAIL} keys.json --force`, { action: 'import', ...FILES, force: true }],
    ],
    [
      [`export ${EMAIL}`, "missing required argument 'FILE'"],
      [`export ${EMAIL} keys.json --force`, "unknown option '--force'"],
    ],
  ],
])('%p', (program, accepted, rejected) => {
  const parse = async (line: string) => {
    const run = jest.fn<Promise<void>, [object]>();
    const printed: string[] = [];
    const parser = program(run);
    for (const command of [parser, ...parser.commands]) {
      command.exitOverride().configureOutput({ writeErr: (text) => printed.push(text) });
    }
    const args = line.split(' ').filter(Boolean);
    const code = await parser.parseAsync(args, { from: 'user' }).then(
      () => 0,
      ({ exitCode }: { exitCode: number }) => exitCode,
    );
    return { code, printed: printed.join(''), commands: run.mock.calls.flat() };
  };

  it.each(accepted as [string, object][])('parses %j', async (line, command) => {
    expect(await parse(line)).toEqual({ code: 0, printed: '', commands: [command] });
  });

  it.each(rejected as [string, string][])(
    'rejects %j, and prints the usage',
    async (line, reason) => {
      const { code, printed, commands } = await parse(line);
      expect({ code, commands }).toEqual({ code: 1, commands: [] });
      expect(printed).toContain(reason);
      expect(printed).toContain('Usage: npm run ');
    },
  );
});

it.each([
  [new CommandError('There is no account a@b.example.'), 'There is no account a@b.example.'],
  [new StartupError('PORT takes a whole number.'), 'PORT takes a whole number.'],
  [new DomainError('EMAIL_ALREADY_REGISTERED'), 'Email already registered.'],
  [new Error('disk I/O error'), 'disk I/O error'],
])('a command prints %s without a stack', (error, text) => {
  expect(describeFailure(error)).toBe(text);
});
