import os from 'node:os';
import * as nodeMachineId from 'node-machine-id';
import { ModelStore } from '../../test/contract/model-store.js';
import type { Config } from '../shared/config/config.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { DeploymentItems } from '../storage/deployment-items.js';
import { MachineIdProvider } from './machine-id.provider.js';
import { isOwnIdentity, readMachineIdentity } from './machine-identity.js';

const HOST = 'build-7f9c5d8b6-x2x9q';

describe('isOwnIdentity', () => {
  it.each([
    ['a machine-id of systemd', 'b08dfa6083e7567a1921a715000001fb', true],
    ['the shortest, of two characters alone', '0101010101010101', true],
    ['the host name, which changes with every container', HOST, false],
    ['the host name in another case', HOST.toUpperCase(), false],
    ['all zeros', '00000000-0000-0000-0000-000000000000', false],
    ['a text too short to name one machine', '0123456789abcde', false],
  ])('of %s, %j, is %s', (_what, identity, isOwn) => {
    expect(isOwnIdentity(identity, HOST)).toBe(isOwn);
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

  it('generates a random identity at each call where the system has none, has only its host name, or cannot be read', () => {
    const fail = () => {
      throw new Error('no shell');
    };
    for (const response of [() => '', () => os.hostname(), fail]) {
      system.mockImplementation(response);
      const [one, two] = [readMachineIdentity(), readMachineIdentity()];
      expect(isOwnIdentity(one, os.hostname())).toBe(true);
      expect(one).not.toBe(two);
    }
  });
});

const PROJECT = '1'.repeat(24);
const OTHER_PROJECT = '2'.repeat(24);
const FINGERPRINT = 'a-fingerprint-of-a-machine';
const FIRST = 'identity-of-the-first-machine';

describe('MachineIdProvider', () => {
  let deployment: DeploymentItems;
  beforeEach(() => {
    deployment = new DeploymentItems(new ModelStore());
  });

  async function start(machineId?: string, dataKeys = new DataKeys(Buffer.alloc(96, 1))) {
    const provider = new MachineIdProvider({ machineId } as Config, deployment, dataKeys);
    await provider.onModuleInit();
    return provider;
  }

  it('derives different ids for every machine, project and deployment, and none of a fingerprint that is its own', async () => {
    const own = 'machine-of-the-service';
    const other = await start(own, new DataKeys(Buffer.alloc(96, 2)));
    const fingerprints = [FINGERPRINT, `${FINGERPRINT}2`, FINGERPRINT.toUpperCase(), ''];
    const machines = [undefined, ...fingerprints, own, `service\n${own}`];
    const ids = [await start(own), other].flatMap((provider) =>
      [PROJECT, OTHER_PROJECT].flatMap((project) =>
        machines.map((machine) => provider.machineIdFor(project, machine)),
      ),
    );
    expect(new Set(ids).size).toBe(2 * 2 * machines.length);
    expect(ids.filter((id) => !/^[0-9a-f]{64}$/.test(id))).toEqual([]);
  });

  it('keeps the identity that was stored first, on another machine and where another instance starts at once', async () => {
    const kept = await deployment.findOrCreate('machine-identity', () => FIRST);
    const expected = (await start(kept)).machineIdFor(PROJECT);
    expect((await start()).machineIdFor(PROJECT)).toBe(expected);
    jest.spyOn(deployment, 'find').mockResolvedValueOnce(null);
    expect((await start()).machineIdFor(PROJECT)).toBe(expected);
  });

  it('prefers MACHINE_ID to the stored identity, and leaves that unchanged', async () => {
    await deployment.findOrCreate('machine-identity', () => FIRST);
    const [first, second] = await Promise.all([start('first-machine'), start('second-machine')]);
    expect(first.machineIdFor(PROJECT)).not.toBe((await start()).machineIdFor(PROJECT));
    expect(first.machineIdFor(PROJECT)).not.toBe(second.machineIdFor(PROJECT));
    expect(await deployment.find('machine-identity')).toBe(FIRST);
  });
});
