import type { Command } from 'commander';
import { DomainError } from '../shared/errors/domain-error.js';
import { describeFailure } from './command-error.js';
import { createProgram } from './program.js';

const mockCalls: unknown[][] = [];
const mockCall =
  (name: string) =>
  async (...args: unknown[]) =>
    void mockCalls.push([name, ...args]);
jest.mock('./accounts.js', () => ({ runAccountCommand: mockCall('runAccountCommand') }));
jest.mock('./signing-keys.js', () => ({ loadSigningKeys: mockCall('loadSigningKeys') }));
jest.mock('./with-store.js', () => ({
  withStore: (_env: object, use: (services: string) => unknown) => use('services'),
}));

const withAll = (command: Command): Command[] => [command, ...command.commands.flatMap(withAll)];

/** Parses arguments of `npm run`; returns the command called and the output. */
async function parse(line: string) {
  jest.spyOn(console, 'log').mockReturnValue();
  const printed: string[] = [];
  const program = createProgram('npm run');
  for (const command of withAll(program)) {
    command.exitOverride().configureOutput({ writeErr: (text) => printed.push(text) });
  }
  const code = await program.parseAsync(line.split(' '), { from: 'user' }).then(
    () => 0,
    ({ exitCode }: { exitCode: number }) => exitCode,
  );
  return { code, printed: printed.join(''), calls: mockCalls };
}

const EMAIL = 'a@b.example';

describe('npm run', () => {
  beforeEach(() => void mockCalls.splice(0));

  // The other commands are covered by test/smoke/commands.e2e-spec.ts.
  it.each<[string, ...unknown[]]>([
    [
      `user create --name=Ada ${EMAIL}`,
      'runAccountCommand',
      'services',
      'create',
      EMAIL,
      { name: 'Ada' },
    ],
    [
      `user transfer ${EMAIL} b@c.example`,
      'runAccountCommand',
      'services',
      'transfer',
      EMAIL,
      { to: 'b@c.example' },
    ],
    [
      `user delete-api-key ${EMAIL} 1`,
      'runAccountCommand',
      'services',
      'delete-api-key',
      EMAIL,
      { id: '1' },
    ],
    [
      `signing-keys import ${EMAIL} keys.json --force`,
      ...['loadSigningKeys', 'services', EMAIL, 'keys.json', { force: true }],
    ],
  ])('%s is a command', async (line, ...call) => {
    expect(await parse(line)).toEqual({ code: 0, printed: '', calls: [call] });
  });

  it('user secure changes nothing if its time is wrong', async () => {
    const args = ['user', 'secure', EMAIL, '--since', 'yesterday'];
    const secured = createProgram().parseAsync(args, { from: 'user' });
    await expect(secured).rejects.toThrow('yesterday is not a time');
    expect(mockCalls).toEqual([]);
  });

  it.each(['help', 'help user'])('%s prints the usage', async (line) => {
    const written = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    expect(await parse(line)).toMatchObject({ code: 0, printed: '', calls: [] });
    expect(written.mock.calls.join('')).toMatch(/^Usage: npm run /);
  });

  it('is license-service in an installed package', () => {
    const [user] = createProgram('license-service').commands.slice(1);
    expect(user!.helpInformation()).toMatch(/^Usage: license-service user \[/);
  });

  it.each([
    ['user', 'Usage: npm run user -- '],
    ['nonsense', "unknown command 'nonsense'"],
    [`user remove ${EMAIL}`, "unknown command 'remove'"],
    [`user list ${EMAIL}`, "too many arguments for 'list'"],
    [`user disable ${EMAIL} --with-licenses`, "unknown option '--with-licenses'"],
    [`user create ${EMAIL} --name`, "'--name <NAME>' argument missing"],
    [`signing-keys export ${EMAIL}`, "missing required argument 'FILE'"],
    ['backup', "missing required argument 'FILE'"],
  ])('%s is rejected, and prints the usage', async (line, reason) => {
    const { code, printed, calls } = await parse(line);
    expect({ code, calls }).toEqual({ code: 1, calls: [] });
    expect(printed).toContain(reason);
    expect(printed).toMatch(/^Usage: npm run \S+ -- /m);
  });
});

it.each([
  [new DomainError('EMAIL_ALREADY_REGISTERED'), 'Email already registered.'],
  [new Error('disk I/O error'), 'disk I/O error'],
])('a command prints %s without a stack', (error, text) => {
  expect(describeFailure(error)).toBe(text);
});
