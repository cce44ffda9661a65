import fs from 'node:fs';
import { useFolder } from '../../../test/use-folder.js';
import { StartupError } from '../errors/startup-error.js';
import { restrictDataFolder, requireOwnFolder } from './data-folder.js';

describe('A data folder', () => {
  const folder = useFolder();
  let dataDir: string;

  beforeEach(() => {
    dataDir = folder('data');
    fs.mkdirSync(dataDir);
    fs.chmodSync(dataDir, 0o755);
  });
  afterEach(() => jest.restoreAllMocks());

  const writeSecret = (mode: number) => {
    fs.writeFileSync(folder('data', 'license-secret'), 'content');
    fs.chmodSync(folder('data', 'license-secret'), mode);
  };
  const modeOf = (target: string) => (fs.statSync(target).mode & 0o777).toString(8);
  /** Behaves like a file system without modes, where chmod succeeds but has no effect. */
  const ignoreModes = () => jest.spyOn(fs, 'chmodSync').mockReturnValue(undefined);
  const denyModes = () =>
    jest.spyOn(fs, 'chmodSync').mockImplementation(() => {
      throw Object.assign(new Error('EPERM: operation not permitted'), { code: 'EPERM' });
    });

  it('is made private with one warning, or none if it was already private or missing', () => {
    writeSecret(0o644);
    fs.symlinkSync(dataDir, folder('link'));
    expect(restrictDataFolder(folder('link'))).toEqual([
      `Other users of this machine had access to ${dataDir}: its mode was 755 and is now 700.`,
    ]);
    expect(modeOf(dataDir)).toBe('700');
    expect(restrictDataFolder(dataDir)).toEqual([]);
    expect(restrictDataFolder(folder('none'))).toEqual([]);
  });

  it.each([
    ['is shared, as /tmp is,', () => fs.chmodSync(dataDir, 0o1777), '777'],
    ['cannot be changed', denyModes, '755'],
    ['has no modes', ignoreModes, '755'],
  ])('that %s stays unchanged, with a warning', (_case, prepare, mode) => {
    writeSecret(0o600);
    prepare();
    expect(restrictDataFolder(dataDir)).toEqual([
      expect.stringMatching(new RegExp(`have access to .+data \\(mode ${mode}\\).+ Set DATA_DIR `)),
    ]);
    expect(modeOf(dataDir)).toBe(mode);
  });

  it('rejects a command run by root if the folder belongs to another user', () => {
    const ofRoot = { uid: 0 } as fs.Stats;
    const spy = jest.spyOn(fs, 'statSync').mockReturnValue({ uid: 998 } as fs.Stats);
    expect(() => requireOwnFolder(dataDir, 0)).toThrow(/the id 998, .+ with "sudo -u '#998'"\.$/);
    for (const [folderOf, user] of [
      [ofRoot, 0],
      [{ uid: 998 } as fs.Stats, 998],
    ] as const) {
      spy.mockReturnValue(folderOf);
      expect(() => requireOwnFolder(dataDir, user)).not.toThrow();
    }
  });

  it('fails the start if other users can access a secret in it', () => {
    writeSecret(0o640);
    denyModes();
    const file = folder('data', 'license-secret');
    const start = () => restrictDataFolder(dataDir);
    expect(start).toThrow(StartupError);
    expect(start).toThrow(`have access to ${file} (mode 640). Run "chmod 600 ${file}"`);
  });
});
