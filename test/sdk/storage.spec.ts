import fs from 'node:fs';
import { active, Customer, ISSUER, KEY } from './customer.js';
import { DAY, NOW } from './issuer.js';
import { unprivileged } from './unprivileged.js';

let customer: Customer;
beforeEach(() => (customer = new Customer()));
afterEach(async () => {
  jest.restoreAllMocks();
  await customer.leave();
});

const FOLDER = { name: 'LicenseError', code: 'folder' };

function failing(code: string): () => never {
  return () => {
    throw Object.assign(new Error(`${code}: simulated`), { code });
  };
}

/** Makes one step of every write fail. */
const FAILURES: [string, () => void][] = [
  [
    'the disk is full after half of the file',
    () => {
      const write = fs.writeFileSync;
      jest.spyOn(fs, 'writeFileSync').mockImplementation((file, data, options) => {
        const text = data as string;
        write(file, text.slice(0, text.length / 2), options);
        failing('ENOSPC')();
      });
    },
  ],
  [
    'the file cannot be renamed',
    () => {
      jest.spyOn(fs, 'renameSync').mockImplementation(failing('EIO'));
    },
  ],
];

describe.each(FAILURES)('if %s', (_name, fail) => {
  it('refresh keeps the old state, reports the folder and leaves no temporary file', async () => {
    await customer.activated();
    const before = customer.state;
    customer.wait(1);
    await customer.script(active({ issuedAt: customer.now }));
    const license = customer.license();
    fail();
    expect(await license.refresh()).toMatchObject({
      state: 'valid',
      until: new Date((NOW + 7 * DAY) * 1000),
      reason: 'folder',
    });
    expect(customer.state).toEqual(before);
    expect(fs.readdirSync(customer.folder)).toHaveLength(1);
  });

  it('status stays valid, though the time cannot be remembered', async () => {
    const license = await customer.activated();
    customer.wait(1);
    fail();
    expect(license.status()).toMatchObject({ state: 'valid', reason: null });
    expect(customer.state.rememberedTime).toBe(NOW);
  });
});

describe('a write', () => {
  it('is tried before an activation with 16 KiB, more than any state file', async () => {
    await customer.script(active());
    const write = jest.spyOn(fs, 'writeFileSync');
    await customer.license().activate(KEY);
    const [probe, state] = write.mock.calls.map(([, data]) => (data as string).length);
    expect(probe).toBe(16_384);
    expect(state).toBeLessThan(16_384);
    expect(fs.readdirSync(customer.folder)).toHaveLength(1);
  });

  it('is flushed before the rename, and the folder after it', async () => {
    const steps: string[] = [];
    const { writeFileSync, renameSync, fsyncSync } = fs;
    jest.spyOn(fs, 'writeFileSync').mockImplementation((file, data, options) => {
      steps.push(`write ${JSON.stringify(options)}`);
      writeFileSync(file, data, options);
    });
    jest.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
      steps.push('rename');
      renameSync(from, to);
    });
    jest.spyOn(fs, 'fsyncSync').mockImplementation((handle) => {
      if (fs.fstatSync(handle).isDirectory()) steps.push('sync folder');
      fsyncSync(handle);
    });
    customer.license().install(ISSUER.certificate());
    expect(steps).toEqual(['write {"mode":384,"flag":"wx","flush":true}', 'rename', 'sync folder']);
  });

  it('is repeated on the state that another process has written meanwhile', async () => {
    const license = await customer.activated();
    const { writeFileSync } = fs;
    const write = jest.spyOn(fs, 'writeFileSync').mockImplementationOnce((file, data, options) => {
      writeFileSync(file, data, options);
      customer.license().install(ISSUER.certificate({ days: 30 }));
    });
    license.install(ISSUER.certificate({ days: 20 }));
    expect(license.status().until).toEqual(new Date((NOW + 30 * DAY) * 1000));
    expect(write).toHaveBeenCalledTimes(3);
    expect(fs.readdirSync(customer.folder)).toHaveLength(1);
  });
});

describe('a read-only folder', () => {
  const inReadOnlyFolder = async <Result>(action: () => Result | Promise<Result>) => {
    fs.chmodSync(customer.stateFile, 0o444);
    fs.chmodSync(customer.folder, 0o555);
    try {
      // The unprivileged user must be able to reach the folder.
      fs.chmodSync(`${customer.folder}/..`, 0o755);
      return await unprivileged(action);
    } finally {
      fs.chmodSync(customer.folder, 0o700);
    }
  };

  it('keeps a license valid until its certificate ends', async () => {
    const license = await customer.activated();
    customer.wait(6);
    const status = await inReadOnlyFolder(() => license.status());
    expect(status).toMatchObject({ state: 'valid', reason: null });
    customer.wait(1);
    expect(await inReadOnlyFolder(() => license.status())).toMatchObject({ state: 'ended' });
  });

  it('makes activate throw before it sends anything', async () => {
    await customer.activated();
    const service = await customer.script(active());
    const license = customer.license();
    const error = await inReadOnlyFolder(() =>
      license.activate(KEY).catch((thrown: unknown) => thrown),
    );
    expect(error).toMatchObject({
      ...FOLDER,
      message: expect.stringMatching(/cannot be used \((EACCES|EROFS)\)/) as string,
    });
    expect(service.asked).toEqual([]);
  });

  it('makes install and forget throw', async () => {
    const license = await customer.activated();
    const folder = expect.objectContaining(FOLDER) as Error;
    await inReadOnlyFolder(() => {
      expect(() => license.install(ISSUER.certificate({ days: 30 }))).toThrow(folder);
      expect(() => license.forget()).toThrow(folder);
    });
    expect(license.status()).toMatchObject({ state: 'valid' });
  });
});
