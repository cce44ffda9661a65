import { DomainError } from '../shared/errors/domain-error.js';
import { StartupError } from '../shared/errors/startup-error.js';
import { CommandError, describeFailure } from './command-error.js';
import { print } from './command-line.js';
import { signingKeysProgram } from './signing-keys-program.js';
import { userProgram } from './user-program.js';

const EMAIL = 'a@b.example';
const FILES = { email: EMAIL, file: 'keys.json' };

const PROGRAMS = { user: userProgram, 'signing-keys': signingKeysProgram };

/** Parses a line: the name of a program, and its arguments. */
async function parse(line: string) {
  const [name, ...args] = line.split(' ');
  const run = jest.fn<Promise<void>, [object]>();
  const printed: string[] = [];
  const parser = PROGRAMS[name as keyof typeof PROGRAMS](run);
  for (const command of [parser, ...parser.commands]) {
    command.exitOverride().configureOutput({ writeErr: (text) => printed.push(text) });
  }
  const code = await parser.parseAsync(args, { from: 'user' }).then(
    () => 0,
    ({ exitCode }: { exitCode: number }) => exitCode,
  );
  return { code, printed: printed.join(''), commands: run.mock.calls.flat() };
}

it.each<[string, object]>([
  [`user create ${EMAIL}`, { action: 'create', email: EMAIL, name: undefined }],
  [`user create --name=Ada ${EMAIL}`, { action: 'create', email: EMAIL, name: 'Ada' }],
  [`user reset-password ${EMAIL}`, { action: 'reset-password', email: EMAIL }],
  ['user list', { action: 'list' }],
  [`user transfer ${EMAIL} b@b.example`, { action: 'transfer', email: EMAIL, to: 'b@b.example' }],
  [`user delete ${EMAIL}`, { action: 'delete', email: EMAIL, withLicenses: false }],
  [`user delete --with-licenses ${EMAIL}`, { action: 'delete', email: EMAIL, withLicenses: true }],
  [`signing-keys export ${EMAIL} keys.json`, { action: 'export', ...FILES }],
  [`signing-keys import ${EMAIL} keys.json`, { action: 'import', ...FILES }],
  [
    `signing-keys import --replace ${EMAIL} keys.json --force`,
    { action: 'import', ...FILES, replace: true, force: true },
  ],
])('npm run %s is a command', async (line, command) => {
  expect(await parse(line)).toEqual({ code: 0, printed: '', commands: [command] });
});

it.each([
  ['user', 'Usage: npm run user -- '],
  [`user remove ${EMAIL}`, "unknown command 'remove'"],
  [`user list ${EMAIL}`, "too many arguments for 'list'"],
  [`user disable ${EMAIL} --with-licenses`, "unknown option '--with-licenses'"],
  [`user create ${EMAIL} --name`, "'--name <NAME>' argument missing"],
  [`signing-keys export ${EMAIL}`, "missing required argument 'FILE'"],
])('npm run %s is rejected, and prints the usage', async (line, reason) => {
  const { code, printed, commands } = await parse(line);
  expect({ code, commands }).toEqual({ code: 1, commands: [] });
  expect(printed).toContain(reason);
  expect(printed).toContain('Usage: npm run ');
});

it('a command ends where the reader of its lines has gone, and fails', async () => {
  const log = jest.spyOn(console, 'log').mockReturnValue();
  async function* lines() {
    yield 'first';
    process.stdout.emit('error', new Error('write EPIPE'));
    yield* ['second', 'third'];
  }
  await print(lines());
  expect([log.mock.calls, process.exitCode]).toEqual([[['first']], 1]);
  process.exitCode = undefined;
  log.mockRestore();
});

it.each([
  [new CommandError('There is no account a@b.example.'), 'There is no account a@b.example.'],
  [new StartupError('PORT takes a whole number.'), 'PORT takes a whole number.'],
  [new DomainError('EMAIL_ALREADY_REGISTERED'), 'Email already registered.'],
  [new Error('disk I/O error'), 'disk I/O error'],
])('a command prints %s without a stack', (error, text) => {
  expect(describeFailure(error)).toBe(text);
});
