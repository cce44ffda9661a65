import crypto from 'node:crypto';
import { ModelStore } from '../../test/contract/model-store.js';
import type { Config } from '../shared/config/config.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { DeploymentItems } from '../shared/sealing/deployment-items.js';
import { MachineIdProvider } from './machine-id.provider.js';

const PROJECT = '1'.repeat(24);
const OTHER_PROJECT = '2'.repeat(24);
const FINGERPRINT = 'a-fingerprint-of-a-machine';

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

  it('derives one id of 64 hexadecimal characters for a machine in a project', async () => {
    const provider = await start();
    for (const fingerprint of [undefined, FINGERPRINT]) {
      const id = provider.machineIdFor(PROJECT, fingerprint);
      expect(id).toMatch(/^[0-9a-f]{64}$/);
      expect(provider.machineIdFor(PROJECT, fingerprint)).toBe(id);
    }
  });

  it('derives different ids for every machine, project and deployment', async () => {
    const provider = await start('machine-of-the-service');
    const other = await start('machine-of-the-service', new DataKeys(Buffer.alloc(96, 2)));
    const ids = [provider, other].flatMap((each) =>
      [PROJECT, OTHER_PROJECT].flatMap((project) =>
        [undefined, FINGERPRINT, `${FINGERPRINT}2`, FINGERPRINT.toUpperCase(), ''].map((machine) =>
          each.machineIdFor(project, machine),
        ),
      ),
    );
    expect(new Set(ids).size).toBe(20);
  });

  it("never confuses a fingerprint with the service's own machine", async () => {
    const provider = await start('machine-of-the-service');
    const own = provider.machineIdFor(PROJECT);
    const texts = ['machine-of-the-service', 'service\nmachine-of-the-service', ''];
    expect(texts.map((text) => provider.machineIdFor(PROJECT, text))).not.toContain(own);
  });

  it('computes a machine id once, and caches the 20,000 most recently used', async () => {
    const provider = await start();
    const computed = jest.spyOn(crypto, 'createHmac');
    const deriveOthers = (number: number, name: string) => {
      for (let index = 0; index < number; index++) {
        provider.machineIdFor(PROJECT, `${name} ${index}`);
      }
    };
    provider.machineIdFor(PROJECT, FINGERPRINT);
    deriveOthers(19_999, 'machine');
    provider.machineIdFor(PROJECT, FINGERPRINT);
    expect(computed).toHaveBeenCalledTimes(20_000);
    deriveOthers(20_000, 'other machine');
    provider.machineIdFor(PROJECT, FINGERPRINT);
    expect(computed).toHaveBeenCalledTimes(40_001);
    computed.mockRestore();
  });

  it('keeps the identity of the deployment across restarts', async () => {
    const id = (await start()).machineIdFor(PROJECT);
    const identity = await deployment.find('machine-identity');
    expect((await start()).machineIdFor(PROJECT)).toBe(id);
    expect(await deployment.find('machine-identity')).toBe(identity);
  });

  it('keeps the stored identity on another machine, such as a new container', async () => {
    const kept = await deployment.findOrCreate(
      'machine-identity',
      () => 'identity-of-the-first-machine',
    );
    expect((await start()).machineIdFor(PROJECT)).toBe((await start(kept)).machineIdFor(PROJECT));
  });

  it('uses the identity that another instance stored first, where both start at once', async () => {
    const kept = await deployment.findOrCreate(
      'machine-identity',
      () => 'identity-of-the-first-machine',
    );
    jest.spyOn(deployment, 'find').mockResolvedValueOnce(null);
    expect((await start()).machineIdFor(PROJECT)).toBe((await start(kept)).machineIdFor(PROJECT));
  });

  it('prefers MACHINE_ID to the stored identity, and leaves that unchanged', async () => {
    await deployment.findOrCreate('machine-identity', () => 'identity-of-the-first-machine');
    const [first, second] = await Promise.all([start('first-machine'), start('second-machine')]);
    expect(first.machineIdFor(PROJECT)).not.toBe((await start()).machineIdFor(PROJECT));
    expect(first.machineIdFor(PROJECT)).not.toBe(second.machineIdFor(PROJECT));
    expect(await deployment.find('machine-identity')).toBe('identity-of-the-first-machine');
  });
});
