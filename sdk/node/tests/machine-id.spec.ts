import { createHmac } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { deriveFingerprint, type System } from '../src/machine-id.js';
import { KEY, useCustomer } from '../../../test/sdk/customer.js';
import { active, issueCertificate, PRODUCT } from '../../../test/sdk/issuer.js';

const ID = '4c4c4544004b351080484c4f44334a32';
const KUBERNETES = { KUBERNETES_SERVICE_HOST: '10.0.0.1' };

const customer = useCustomer();

const LINUX: System = {
  ...{ platform: 'linux', env: {} },
  ...{ exists: () => false, read: () => '', run: () => '' },
};
const linux = (id: string) => ({ read: (file: string) => (file === '/etc/machine-id' ? id : '') });
const derive = (system: Partial<System>, allowRandomId = true) => {
  const place = { folder: customer.folder, product: PRODUCT, allowRandomId };
  return deriveFingerprint(place, { ...LINUX, ...system });
};
const expected = (id: string) => createHmac('sha256', id).update(PRODUCT).digest('hex');
const keptFile = () => path.join(customer.folder, 'machine-id');

describe('the fingerprint', () => {
  it("is an HMAC of the product under Linux's machine id", () => {
    expect(derive(linux(`${ID}\n`))).toBe(expected(ID));
  });

  it('is derived from the hardware id of macOS', () => {
    const printed = '  "IOPlatformUUID" = "4C4C4544-004B-3510-8048-4C4F44334A32"\n';
    const run = jest.fn(() => printed);
    expect(derive({ platform: 'darwin', run })).toBe(expected(ID));
    expect(run).toHaveBeenCalledWith('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']);
  });

  it('is derived from the machine GUID of Windows', () => {
    const printed = '    MachineGuid    REG_SZ    4c4c4544-004b-3510-8048-4c4f44334a32\r\n';
    const run = jest.fn(() => printed);
    const env = { SystemRoot: 'D:\\Windows' };
    expect(derive({ platform: 'win32', env, run })).toBe(expected(ID));
    expect(run).toHaveBeenCalledWith(
      'D:\\Windows\\System32\\reg.exe',
      expect.arrayContaining(['MachineGuid', '/reg:64']),
    );
  });
});

describe('a machine without its own id', () => {
  it.each<[string, Partial<System>]>([
    ['an empty file', linux('\n')],
    ['an id that is too short', linux(ID.slice(1))],
    ['one digit with another', linux('01'.repeat(16))],
    ['the id of examples', linux('0123456789abcdef0123456789abcdef')],
    ['a constant of firmware', linux('03000200-0400-0500-0006-000700080009')],
    ['another constant of firmware', linux('00020003-0004-0005-0006-000700080009')],
    // All containers of an image share the same id.
    ['Docker', { ...linux(ID), exists: (file) => file === '/.dockerenv' }],
    ['Podman', { ...linux(ID), exists: (file) => file === '/run/.containerenv' }],
    ['Kubernetes', { ...linux(ID), env: KUBERNETES }],
  ])('gets a random id, stored in the folder: %s', (_name, system) => {
    const fingerprint = derive(system);
    const kept = fs.readFileSync(keptFile(), 'utf8');
    expect(kept).toMatch(/^[0-9a-f]{32}$/);
    expect(fingerprint).toBe(expected(kept));
    expect(derive(system)).toBe(fingerprint);
    expect(fs.statSync(keptFile()).mode & 0o777).toBe(0o600);
  });

  it('gets no id if the program forbids random ones', () => {
    expect(() => derive(linux(''), false)).toThrow(
      expect.objectContaining({ code: 'machine_id' }) as Error,
    );
    expect(fs.existsSync(customer.folder)).toBe(false);
    expect(derive(linux(ID), false)).toBe(expected(ID));
  });

  it('uses the id that another process stores first', () => {
    const { writeFileSync } = fs;
    jest.spyOn(fs, 'writeFileSync').mockImplementationOnce((file, data, options) => {
      // The first write is the lock file.
      writeFileSync(keptFile(), ID);
      writeFileSync(file, data, options);
    });
    expect(derive(linux(''))).toBe(expected(ID));
    expect(fs.readdirSync(customer.folder)).toEqual(['machine-id']);
  });
});

describe('an id that is temporarily unavailable', () => {
  const fail = () => {
    throw Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' });
  };
  it.each<[string, Partial<System>]>([
    ['macOS, whose command prints another entry', { platform: 'darwin', run: () => '"a" = "b"' }],
    ['Windows, whose command prints nothing', { platform: 'win32', run: () => '' }],
    ['Linux', { read: fail }],
    ['Linux during its first start', { read: () => 'uninitialized\n' }],
  ])('is an error and does not look like another machine: %s', (_name, system) => {
    expect(() => derive(system)).toThrow(
      expect.objectContaining({ code: 'machine_id', cause: expect.any(Error) as Error }) as Error,
    );
    expect(fs.existsSync(customer.folder)).toBe(false);
  });

  it('is queried again', () => {
    const read = jest.fn<string, [string]>(() => ID).mockImplementationOnce(fail);
    expect(derive({ read })).toBe(expected(ID));
  });
});

describe('a container', () => {
  it.each<NodeJS.Platform>(['darwin', 'win32', 'freebsd'])(
    'counts only on Linux and not on %s, because desktops can have the variables of Kubernetes',
    (platform) => {
      const printed = `"IOPlatformUUID" = "${ID}" REG_SZ ${ID}`;
      const system = { platform, env: KUBERNETES, exists: () => true, run: () => printed };
      expect(derive({ ...system, ...linux(ID) })).toBe(expected(ID));
    },
  );

  describe('with the SDK', () => {
    beforeEach(() => Object.assign(process.env, KUBERNETES));
    afterEach(() => delete process.env.KUBERNETES_SERVICE_HOST);

    const inContainer = () => customer.license({ fingerprint: undefined });
    const fingerprint = () => expected(fs.readFileSync(keptFile(), 'utf8'));

    it('keeps its id if the folder is on a volume, even after forget', async () => {
      expect(inContainer().status()).toMatchObject({ state: 'none' });
      expect(fs.existsSync(customer.folder)).toBe(false);
      inContainer().request();
      const requested = fingerprint();
      await customer.script(active({ fingerprint: requested }));
      await inContainer().activate(KEY);
      expect(inContainer().status()).toMatchObject({ state: 'valid' });
      inContainer().forget();
      expect(inContainer().request()).toContain(requested);
    });

    it('is unreadable if its id is damaged, and request() says how to fix it', () => {
      inContainer().request();
      inContainer().install(issueCertificate({ fingerprint: fingerprint() }));
      fs.writeFileSync(keptFile(), '');
      expect(inContainer().status()).toMatchObject({ state: 'unreadable', reason: 'folder' });
      expect(() => inContainer().request()).toThrow('Restore or delete it');
    });
  });
});
