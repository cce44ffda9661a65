import os from 'node:os';
import * as nodeMachineId from 'node-machine-id';
import { isOwnIdentity, readMachineIdentity } from './machine-identity.js';

const HOST = 'build-7f9c5d8b6-x2x9q';

describe('isOwnIdentity', () => {
  it.each([
    ['a machine-id of systemd', 'b08dfa6083e7567a1921a715000001fb'],
    ['a MachineGuid of Windows', '3f2504e0-4f89-11d3-9a0c-0305e82c3301'],
    ['a UUID of macOS', '564D5A4B-0D8D-9C5E-8E3F-0305E82C3301'],
    ['the shortest, of two characters alone', '0101010101010101'],
  ])('accepts %s', (_name, identity) => {
    expect(isOwnIdentity(identity, HOST)).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['the host name, which changes with every container', HOST],
    ['the host name in another case', HOST.toUpperCase()],
    ['all zeros', '00000000-0000-0000-0000-000000000000'],
    ['the placeholder of systemd before the first boot', 'uninitialized'],
    ['a text too short to name one machine', '0123456789abcde'],
  ])('rejects %s', (_name, identity) => {
    expect(isOwnIdentity(identity, HOST)).toBe(false);
  });
});

describe('readMachineIdentity', () => {
  const system = jest.spyOn(nodeMachineId, 'machineIdSync');
  afterAll(() => system.mockRestore());

  it('returns the identity of the system itself, not a hash of it', () => {
    system.mockReturnValue('b08dfa6083e7567a1921a715000001fb');
    expect(readMachineIdentity()).toBe('b08dfa6083e7567a1921a715000001fb');
    expect(system).toHaveBeenCalledWith(true);
  });

  it.each([
    ['has none', () => ''],
    ['has only its host name', () => os.hostname()],
    [
      'cannot be read',
      () => {
        throw new Error('no shell');
      },
    ],
  ])('generates a random identity at each call where the system %s', (_case, response) => {
    system.mockImplementation(response);
    const [one, two] = [readMachineIdentity(), readMachineIdentity()];
    expect(isOwnIdentity(one, os.hostname())).toBe(true);
    expect(one).not.toBe(two);
  });
});
