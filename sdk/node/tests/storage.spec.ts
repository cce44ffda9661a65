import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { KEY, useCustomer } from '../../../test/sdk/customer.js';
import { active, DAY, issueCertificate, NOW, rejected } from '../../../test/sdk/issuer.js';
import { json } from '../../../test/sdk/scripted-service.js';

const customer = useCustomer();

function fail(code: string): never {
  throw Object.assign(new Error(`${code}: simulated`), { code });
}

function fillDisk() {
  const write = fs.writeFileSync;
  jest.spyOn(fs, 'writeFileSync').mockImplementation((file, data, options) => {
    if (String(file).endsWith('.lock')) return write(file, data, options);
    const text = data as string;
    write(file, text.slice(0, text.length / 2), options);
    fail('ENOSPC');
  });
}

function preventRenaming() {
  jest.spyOn(fs, 'renameSync').mockImplementation(() => fail('EIO'));
}

it.each([
  ['the disk is full after half of the file', fillDisk],
  ['the file cannot be renamed', preventRenaming],
])(
  'refresh keeps the old state, reports the folder and leaves no temporary file if %s',
  async (_name, breakWrites) => {
    await customer.activated();
    const before = customer.state;
    customer.wait(1);
    await customer.script(active({ issuedAt: customer.now }));
    const license = customer.license();
    breakWrites();
    expect(await license.refresh()).toMatchObject({
      state: 'valid',
      validUntil: new Date((NOW + 7 * DAY) * 1000),
      reason: 'folder',
    });
    expect(customer.state).toEqual(before);
    expect(fs.readdirSync(customer.folder)).toHaveLength(1);
  },
);

describe('a write', () => {
  it('is tested before an activation by writing 16 KiB, more than any state file', async () => {
    await customer.script(active());
    const write = jest.spyOn(fs, 'writeFileSync');
    await customer.license().activate(KEY);
    const lengths = write.mock.calls
      .filter(([file]) => !String(file).endsWith('.lock'))
      .map(([, data]) => (data as string).length);
    expect(lengths[0]).toBe(16_384);
    expect(lengths[1]).toBeLessThan(16_384);
    expect(fs.readdirSync(customer.folder)).toHaveLength(1);
  });

  it('is flushed before the rename, and the folder after it', () => {
    const steps: string[] = [];
    const { writeFileSync, renameSync, fsyncSync } = fs;
    jest.spyOn(fs, 'writeFileSync').mockImplementation((file, data, options) => {
      if (!String(file).endsWith('.lock')) steps.push(`write ${JSON.stringify(options)}`);
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
    customer.license().install(issueCertificate());
    expect(steps).toEqual(['write {"mode":384,"flag":"wx","flush":true}', 'rename', 'sync folder']);
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

  it('keeps a license valid until its certificate expires, and reports no reason if nothing needs to be written', async () => {
    const license = await customer.activated({ leaseSeconds: 7 * DAY });
    customer.wait(6);
    const status = await inReadOnlyFolder(() => license.status());
    expect(status).toMatchObject({ state: 'valid', reason: null });
    await customer.script(json(503, {}), json(200, { status: 'active', leaseEndsAt: 'a time' }));
    const online = customer.license();
    for (const reason of ['server_error', null]) {
      const refreshed = await inReadOnlyFolder(() => online.refresh());
      expect(refreshed).toMatchObject({ state: 'valid', reason });
    }
    customer.wait(1);
    expect(await inReadOnlyFolder(() => license.status())).toMatchObject({ state: 'ended' });
  });

  it('makes every method that writes throw, and activate() before it sends anything', async () => {
    const license = await customer.activated();
    const service = await customer.script(
      json(200, { success: true, certificate: issueCertificate() }),
    );
    const folder = expect.objectContaining({
      ...{ name: 'LicenseError', code: 'folder' },
      message: expect.stringMatching(/cannot be used \((EACCES|EROFS)\)/) as string,
    }) as Error;
    const online = customer.license();
    await inReadOnlyFolder(async () => {
      await expect(online.activate(KEY)).rejects.toEqual(folder);
      await expect(online.heartbeat()).rejects.toEqual(folder);
      await expect(online.release()).rejects.toEqual(folder);
      expect(() => license.install(issueCertificate({ days: 30 }))).toThrow(folder);
      expect(() => license.forget()).toThrow(folder);
    });
    expect(service.paths).toEqual(['/validate/heartbeat']);
    expect(license.status()).toMatchObject({ state: 'valid' });
  });

  it('keeps a rejection in memory until a valid response', async () => {
    await customer.activated();
    await customer.script(rejected('revoked'), active());
    const license = customer.license();
    expect(await inReadOnlyFolder(() => license.refresh())).toMatchObject({
      ...{ state: 'revoked', reason: 'folder' },
    });
    expect(license.status()).toMatchObject({ state: 'revoked' });
    expect(customer.license().status()).toMatchObject({ state: 'valid' });
    expect(await license.refresh()).toMatchObject({ state: 'valid', reason: null });
  });
});

it('a folder that cannot be reached is unreadable, and neither status nor refresh throws', async () => {
  const license = await customer.activated();
  fs.chmodSync(path.dirname(customer.folder), 0o000);
  const status = await unprivileged(() => license.status());
  const refreshed = await unprivileged(() => customer.license().refresh());
  fs.chmodSync(path.dirname(customer.folder), 0o700);
  const unreadable = { state: 'unreadable', reason: 'folder' };
  expect([status, refreshed]).toMatchObject([unreadable, unreadable]);
});

/** Runs an action as a user without root's privilege to ignore file permissions. */
async function unprivileged<Result>(action: () => Result | Promise<Result>): Promise<Result> {
  if (process.getuid?.() !== 0) return action();
  // Only root may be able to reach the temporary folder of a run.
  fs.chmodSync(os.tmpdir(), (fs.statSync(os.tmpdir()).mode & 0o7777) | 0o011);
  process.seteuid!(65_534);
  try {
    return await action();
  } finally {
    process.seteuid!(0);
  }
}
