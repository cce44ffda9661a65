import os from 'node:os';
import * as nodeMachineId from 'node-machine-id';
import { ModelStore } from '../../test/contract/model-store.js';
import type { Config } from '../shared/config/config.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { DeploymentItems } from '../storage/deployment-items.js';
import { MachineIdProvider, readMachineIdentity } from './machine-id.provider.js';

const HOST = 'build-7f9c5d8b6-x2x9q';

describe('readMachineIdentity', () => {
  const system = jest.spyOn(nodeMachineId, 'machineIdSync');
  beforeEach(() => jest.spyOn(os, 'hostname').mockReturnValue(HOST));
  afterAll(() => jest.restoreAllMocks());

  it.each(['b08dfa6083e7567a1921a715000001fb', '0101010101010101'])(
    'returns the identity of the system, not a hash of it: %s',
    (identity) => {
      system.mockReturnValue(identity);
      expect(readMachineIdentity()).toBe(identity);
      expect(system).toHaveBeenCalledWith(true);
    },
  );

  const fail = () => {
    throw new Error('no shell');
  };
  it.each([
    ['cannot be read', fail],
    ['is the host name, which changes with every container', () => HOST],
    ['is the host name in another case', () => HOST.toUpperCase()],
    ['is all zeros', () => '00000000-0000-0000-0000-000000000000'],
    ['is empty', () => ''],
    ['is too short to name one machine', () => '0123456789abcde'],
  ])('returns a random identity on each call if the system identity %s', (_which, read) => {
    system.mockImplementation(read);
    const [one, two] = [readMachineIdentity(), readMachineIdentity()];
    expect([one, two]).toEqual(Array(2).fill(expect.stringMatching(/^[0-9a-f-]{36}$/)));
    expect(new Set([one, two, read === fail ? '' : read()]).size).toBe(3);
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
    const config = { machineId } as Config;
    const provider = new MachineIdProvider(config, deployment, dataKeys, new ModelStore());
    await provider.onModuleInit();
    return provider;
  }

  it('derives different ids per machine, project and deployment, which never equal the original', async () => {
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

  it('keeps the first stored identity on other machines and concurrent instances; MACHINE_ID overrides it', async () => {
    await deployment.findOrCreate('machine-identity', () => FIRST);
    const idOf = async (machineId?: string) => (await start(machineId)).machineIdFor(PROJECT);
    const expected = await idOf(FIRST);
    expect(await idOf()).toBe(expected);
    jest.spyOn(deployment, 'find').mockResolvedValueOnce(null);
    expect(await idOf()).toBe(expected);
    expect(
      new Set([expected, await idOf('first-machine'), await idOf('second-machine')]).size,
    ).toBe(3);
    expect(await deployment.find('machine-identity')).toBe(FIRST);
  });
});
