import { parseUserCommand } from './user-command.js';
import { UsageError } from './command-error.js';

describe('parseUserCommand', () => {
  it.each([
    ['create a@b.example', { action: 'create', email: 'a@b.example', name: undefined }],
    ['create a@b.example --name Ada', { action: 'create', email: 'a@b.example', name: 'Ada' }],
    ['create --name=Ada a@b.example', { action: 'create', email: 'a@b.example', name: 'Ada' }],
    ['reset-password a@b.example', { action: 'reset-password', email: 'a@b.example' }],
    ['list', { action: 'list' }],
    ['disable a@b.example', { action: 'disable', email: 'a@b.example' }],
    ['enable a@b.example', { action: 'enable', email: 'a@b.example' }],
    ['delete a@b.example', { action: 'delete', email: 'a@b.example', withLicenses: false }],
    [
      'delete --with-licenses a@b.example',
      { action: 'delete', email: 'a@b.example', withLicenses: true },
    ],
  ])('parses %j', (line, command) => {
    expect(parseUserCommand(line.split(' '))).toEqual(command);
  });

  it.each([
    ['', 'A command is missing.'],
    ['remove a@b.example', 'There is no command remove.'],
    ['toString a@b.example', 'There is no command toString.'],
    ['list a@b.example', 'list takes no e-mail address.'],
    ['list --with-licenses', 'list takes no --with-licenses.'],
    ['disable', 'disable takes an e-mail address.'],
    ['enable', 'enable takes an e-mail address.'],
    ['delete', 'delete takes an e-mail address.'],
    ['disable a@b.example --with-licenses', 'disable takes no --with-licenses.'],
    ['delete a@b.example --name Ada', 'delete takes no --name.'],
    ['create', 'create takes an e-mail address.'],
    ['reset-password', 'reset-password takes an e-mail address.'],
    ['create a@b.example c@d.example', 'create takes exactly one e-mail address.'],
    ['reset-password a@b.example --name Ada', 'reset-password takes no --name.'],
    ['create a@b.example --password x', "Unknown option '--password'."],
    ['create a@b.example --name', "Option '--name <value>' argument missing."],
  ])('rejects %j with one sentence', (line, sentence) => {
    const parse = () => parseUserCommand(line.split(' ').filter(Boolean));

    expect(parse).toThrow(UsageError);
    expect(parse).toThrow(new Error(sentence));
  });
});
