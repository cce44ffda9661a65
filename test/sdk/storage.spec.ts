import fs from 'node:fs';
import { active, Customer, ISSUER, KEY, validation } from './customer.js';
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
    'the disk is full at the first byte',
    () => {
      jest.spyOn(fs, 'writeFileSync').mockImplementation(failing('ENOSPC'));
    },
  ],
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

  it('refresh keeps the old state though the license is rejected', async () => {
    await customer.activated();
    const before = customer.state;
    await customer.script(validation('revoked'));
    const license = customer.license();
    fail();
    expect(await license.refresh()).toMatchObject({ state: 'valid', reason: 'folder' });
    expect(customer.state).toEqual(before);
  });

  it('install throws and keeps the old state', async () => {
    const license = await customer.activated();
    const before = customer.state;
    fail();
    expect(() => license.install(ISSUER.certificate({ days: 30 }))).toThrow(
      expect.objectContaining(FOLDER) as Error,
    );
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

describe('a full disk', () => {
  it('makes activate throw before it sends anything', async () => {
    const service = await customer.script(active());
    jest.spyOn(fs, 'writeFileSync').mockImplementation(failing('ENOSPC'));
    await expect(customer.license().activate(KEY)).rejects.toMatchObject({
      ...FOLDER,
      message: expect.stringContaining('ENOSPC') as string,
    });
    expect(service.asked).toEqual([]);
  });

  it('is detected early by a probe of 16 KiB, more than any state file', async () => {
    await customer.script(active());
    const write = jest.spyOn(fs, 'writeFileSync');
    await customer.license().activate(KEY);
    const [probe, state] = write.mock.calls.map(([, data]) => (data as string).length);
    expect(probe).toBe(16_384);
    expect(state).toBeLessThan(16_384);
    expect(fs.readdirSync(customer.folder)).toHaveLength(1);
  });

  it('that fills up during the activation makes it throw, and the next activation succeeds', async () => {
    await customer.script(active());
    const license = customer.license();
    const rename = jest.spyOn(fs, 'renameSync').mockImplementation(failing('ENOSPC'));
    await expect(license.activate(KEY)).rejects.toMatchObject(FOLDER);
    expect(fs.readdirSync(customer.folder)).toEqual([]);
    rename.mockRestore();
    expect(await license.activate(KEY)).toMatchObject({ state: 'valid' });
  });
});

describe('a write', () => {
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

  it('succeeds on a system that does not sync folders', () => {
    const { openSync } = fs;
    jest.spyOn(fs, 'openSync').mockImplementation((file, ...rest) => {
      if (file === customer.folder) failing('EISDIR')();
      return openSync(file, ...rest);
    });
    expect(customer.license().install(ISSUER.certificate())).toMatchObject({ state: 'valid' });
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

  it('makes refresh change nothing, and report the folder', async () => {
    await customer.activated();
    const before = customer.state;
    customer.wait(1);
    await customer.script(active({ issuedAt: customer.now }));
    const license = customer.license();
    const status = await inReadOnlyFolder(() => license.refresh());
    expect(status).toMatchObject({ state: 'valid', reason: 'folder' });
    expect(customer.state).toEqual(before);
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
