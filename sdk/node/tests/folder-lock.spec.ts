import fs from 'node:fs';
import path from 'node:path';
import { run } from '../../../test/sdk/commands.js';
import { FolderLock } from '../src/folder-lock.js';
import { timesInScope } from '../../../test/scope.js';
import { useCustomer } from '../../../test/sdk/customer.js';
import { DAY, issueCertificate, NOW } from '../../../test/sdk/issuer.js';

const SDK = path.resolve('sdk/node/dist/index.js');
const OTHER = 'of another process';

const customer = useCustomer();

const lockFile = () => path.join(customer.folder, 'license.lock');

function leaveLock(): void {
  fs.mkdirSync(customer.folder, { recursive: true });
  fs.writeFileSync(lockFile(), OTHER);
}

/** Installs certificates one after the other in a separate process. */
function installInProcess(certificates: string[]) {
  const { now, ...options } = customer.options;
  const program = `
    import { License } from ${JSON.stringify(SDK)};
    const license = new License({ ...${JSON.stringify(options)}, now: () => ${now!()} });
    for (const certificate of ${JSON.stringify(certificates)}) license.install(certificate);
  `;
  return run(process.execPath, ['--input-type=module', '--eval', program]);
}

describe('the lock of the folder', () => {
  it('loses no change if processes change the state concurrently', async () => {
    const rounds = timesInScope(100);
    // The last certificate of each process expires later than all before it, and one of these two expires last.
    const certificates = (first: number) =>
      Array.from({ length: rounds }, (_, round) =>
        issueCertificate({ days: 2 * round + first, licenseEnd: NOW + 9999 * DAY }),
      );
    await Promise.all([1, 2].map((first) => installInProcess(certificates(first))));
    expect(customer.license().status().validUntil).toEqual(
      new Date((NOW + 2 * rounds * DAY) * 1000),
    );
    expect(fs.readdirSync(customer.folder)).toHaveLength(1);
  });

  it('is removed if it is unchanged for two seconds, such as after a kill', () => {
    leaveLock();
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => (now += 1500));
    expect(customer.license().install(issueCertificate())).toMatchObject({ state: 'valid' });
    expect(fs.readdirSync(customer.folder)).toHaveLength(1);
  });

  it('is awaited for up to ten seconds while others take turns', () => {
    leaveLock();
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => {
      fs.writeFileSync(lockFile(), `${OTHER} ${now}`);
      return (now += 1500);
    });
    const hold = () => new FolderLock(customer.folder).hold(() => undefined);
    expect(hold).toThrow(expect.objectContaining({ code: 'EBUSY' }) as Error);
    expect(fs.readFileSync(lockFile(), 'utf8')).toMatch(OTHER);
  });

  it('does not delay remembering the time, which a later call does', async () => {
    const license = await customer.activated();
    customer.wait(1);
    leaveLock();
    const wait = jest.spyOn(Atomics, 'wait');
    expect(license.status()).toMatchObject({ state: 'valid', reason: null });
    expect(customer.state.rememberedTime).toBe(NOW);
    expect(wait).not.toHaveBeenCalled();
    fs.rmSync(lockFile());
    license.status();
    expect(customer.state.rememberedTime).toBe(NOW + DAY);
  });

  it('makes a change fail and keeps the state if it was lost while the process was suspended', async () => {
    const license = await customer.activated();
    const before = customer.state;
    const { writeFileSync } = fs;
    jest.spyOn(fs, 'writeFileSync').mockImplementation((file, data, options) => {
      writeFileSync(file, data, options);
      if (String(file).includes('.json.')) writeFileSync(lockFile(), OTHER);
    });
    expect(() => license.install(issueCertificate({ days: 30 }))).toThrow(
      expect.objectContaining({ code: 'folder' }) as Error,
    );
    expect(customer.state).toEqual(before);
    expect(fs.readFileSync(lockFile(), 'utf8')).toBe(OTHER);
  });
});
