import fs from 'node:fs';
import { useFolder } from '../../../test/use-folder.js';
import { StartupError } from '../errors/startup-error.js';
import { keepDataPrivate, warnOfOpenDotEnv } from './private-files.js';

describe('Files that other users of the machine have access to', () => {
  const before = process.cwd();
  const folder = useFolder();
  const file = (...names: string[]) => folder('data', ...names);
  let dataDir: string;

  beforeEach(() => {
    dataDir = folder('data');
    fs.mkdirSync(dataDir, { mode: 0o700 });
  });
  afterEach(() => {
    process.chdir(before);
    jest.restoreAllMocks();
  });

  const write = (name: string, mode: number) => {
    fs.writeFileSync(file(name), 'content');
    fs.chmodSync(file(name), mode);
  };
  const modeOf = (target: string) => (fs.statSync(target).mode & 0o777).toString(8);
  /** As on a file system without modes, where chmod succeeds and changes nothing. */
  const ignoreModes = () => jest.spyOn(fs, 'chmodSync').mockReturnValue(undefined);
  const denyModes = () =>
    jest.spyOn(fs, 'chmodSync').mockImplementation(() => {
      throw Object.assign(new Error('EPERM: operation not permitted'), { code: 'EPERM' });
    });

  describe('in DATA_DIR', () => {
    const warned = (name: string, mode: number): unknown =>
      expect.stringContaining(`have access to ${file(name)} (mode ${mode})`);

    it('does not warn of private or missing files', () => {
      write('jwt-secret', 0o600);
      write('licenses.sqlite', 0o400);
      expect(keepDataPrivate(dataDir)).toEqual([]);
      expect(keepDataPrivate(folder('none'))).toEqual([]);
      expect(modeOf(file('licenses.sqlite'))).toBe('400');
    });

    it('makes secrets and the store private, and warns of each once', () => {
      const store = ['', '-wal', '-shm', '-owner'].map((suffix) => `licenses.sqlite${suffix}`);
      const names = ['jwt-secret', 'license-secret', ...store];
      for (const name of names) write(name, 0o644);
      const sentence = 'its mode was 644 and is now 600.';
      expect(keepDataPrivate(dataDir)).toEqual(
        names.map((name) => `Other users of this machine had access to ${file(name)}: ${sentence}`),
      );
      expect(names.map((name) => modeOf(file(name)))).toEqual(names.map(() => '600'));
      expect(keepDataPrivate(dataDir)).toEqual([]);
    });

    it('does not change a shared folder such as /tmp, and warns', () => {
      fs.chmodSync(dataDir, 0o1777);
      expect(keepDataPrivate(dataDir)).toEqual([
        expect.stringMatching(/have access to .+data \(mode 777\).+ set DATA_DIR /),
      ]);
      expect(modeOf(dataDir)).toBe('777');
    });

    it.each([
      ['is denied', denyModes],
      ['changes nothing', ignoreModes],
    ])('warns of a folder and a store if changing their modes %s', (_case, failing) => {
      write('licenses.sqlite', 0o644);
      fs.chmodSync(dataDir, 0o755);
      failing();
      expect(keepDataPrivate(dataDir)).toEqual([warned('', 755), warned('licenses.sqlite', 644)]);
    });

    it.each([
      ['jwt-secret', 'JWT_SECRET'],
      ['license-secret', 'LICENSE_SECRET'],
    ])('fails the start if %s cannot be made private', (name, variable) => {
      write(name, 0o640);
      fs.chmodSync(dataDir, 0o755);
      denyModes();
      const start = () => keepDataPrivate(dataDir);
      expect(start).toThrow(StartupError);
      expect(start).toThrow(`have access to ${file(name)} (mode 640)`);
      expect(start).toThrow(
        `run "chmod 600 ${file(name)}" as its owner, or set ${variable} and remove the file`,
      );
    });

    it('only warns of such a secret if nobody else can open the folder', () => {
      write('jwt-secret', 0o640);
      denyModes();
      expect(keepDataPrivate(dataDir)).toEqual([warned('jwt-secret', 640)]);
    });

    it('does not change the target of a linked file', () => {
      write('../elsewhere', 0o644);
      fs.symlinkSync(folder('elsewhere'), file('licenses.sqlite'));
      expect(keepDataPrivate(dataDir)).toEqual([warned('licenses.sqlite', 644)]);
      expect(modeOf(folder('elsewhere'))).toBe('644');
    });
  });

  describe('.env', () => {
    const writeDotEnv = (content: string, mode: number) => {
      process.chdir(folder());
      fs.writeFileSync('.env', content);
      fs.chmodSync('.env', mode);
    };

    it.each([
      'JWT_SECRET=a-secret-of-this-deployment',
      'LICENSE_SECRET="a-secret-of-this-deployment"',
      'export LICENSE_SECRET_PREVIOUS=a-secret-of-this-deployment',
      'PORT=1\nMONGODB_URI=mongodb://ada:password@db',
    ])('causes a warning where others can read it and it holds a secret: %s', (content) => {
      writeDotEnv(content, 0o644);
      expect(warnOfOpenDotEnv()).toEqual([
        `Other users of this machine have access to ${folder()}/.env (mode 644), which holds secrets: run "chmod 600 .env".`,
      ]);
      expect(modeOf('.env')).toBe('644');
    });

    it.each([
      ['others cannot read it', 'JWT_SECRET=a-secret-of-this-deployment', 0o600],
      ['it holds no secret', 'PORT=3000\n#JWT_SECRET=\nLICENSE_SECRET=\n', 0o644],
    ])('causes no warning if %s', (_case, content, mode) => {
      writeDotEnv(content, mode);
      expect(warnOfOpenDotEnv()).toEqual([]);
    });
  });
});
