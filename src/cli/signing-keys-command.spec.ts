import { UsageError } from './command-error.js';
import { parseSigningKeysCommand } from './signing-keys-command.js';

describe('parseSigningKeysCommand', () => {
  const to = { email: 'a@b.example', file: 'keys.json' };

  it.each([
    ['export a@b.example keys.json', { action: 'export', ...to, replace: false }],
    ['import a@b.example keys.json', { action: 'import', ...to, replace: false }],
    ['import --replace a@b.example keys.json', { action: 'import', ...to, replace: true }],
  ])('parses %j', (line, command) => {
    expect(parseSigningKeysCommand(line.split(' '))).toEqual(command);
  });

  it.each([
    ['', 'A command is missing.'],
    ['rotate a@b.example keys.json', 'There is no command rotate.'],
    ['export', 'export takes an e-mail address and a file.'],
    ['export a@b.example', 'export takes an e-mail address and a file.'],
    ['import a@b.example keys.json more', 'import takes an e-mail address and a file.'],
    ['export a@b.example keys.json --replace', 'export takes no --replace.'],
    ['import a@b.example keys.json --force', "Unknown option '--force'."],
  ])('rejects %j with one sentence', (line, sentence) => {
    const parse = () => parseSigningKeysCommand(line.split(' ').filter(Boolean));
    expect(parse).toThrow(UsageError);
    expect(parse).toThrow(sentence);
  });
});
