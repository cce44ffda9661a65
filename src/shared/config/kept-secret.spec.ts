import fs from 'node:fs';
import { useFolder } from '../../../test/use-folder.js';
import { StartupError } from '../errors/startup-error.js';
import { keptSecret } from './kept-secret.js';

describe('keptSecret', () => {
  const folder = useFolder();
  afterEach(() => jest.restoreAllMocks());
  const data = (...names: string[]) => folder('new', 'data', ...names);
  const write = (name: string, content: string) => {
    fs.mkdirSync(data(), { recursive: true });
    fs.writeFileSync(data(name), content);
  };

  it('S10: generates 48 random bytes once, and returns the same from then on', () => {
    const secret = keptSecret(data(), 'JWT_SECRET');
    expect(Buffer.from(secret, 'base64url')).toHaveLength(48);
    expect(keptSecret(data(), 'JWT_SECRET')).toBe(secret);
    expect(keptSecret(data(), 'LICENSE_SECRET')).not.toBe(secret);
    expect(keptSecret(folder('other'), 'JWT_SECRET')).not.toBe(secret);
  });

  it('uses a secret that was put there by hand', () => {
    write('jwt-secret', '  restored-from-a-backup-0123456789 \n');
    expect(keptSecret(data(), 'JWT_SECRET')).toBe('restored-from-a-backup-0123456789');
  });

  it.each(['', '\n', 'too-short'])('rejects a file that holds %j, and keeps it', (content) => {
    const file = data('license-secret');
    write('license-secret', content);
    expect(() => keptSecret(data(), 'LICENSE_SECRET')).toThrow(
      new StartupError(
        `${file} does not contain a secret. Restore it from a backup or set LICENSE_SECRET.`,
      ),
    );
    expect(fs.readFileSync(file, 'utf8')).toBe(content);
  });

  it.each(['file', 'file/data'])('rejects a path that cannot be a data folder: %s', (name) => {
    fs.writeFileSync(folder('file'), '');
    const start = () => keptSecret(folder(name), 'JWT_SECRET');
    expect(start).toThrow(StartupError);
    expect(start).toThrow(/^The data folder .+ cannot be used \(E[A-Z]+\)\. .+ DATA_DIR/);
  });

  it('leaves no file behind that holds half a secret', () => {
    jest.spyOn(fs, 'linkSync').mockImplementationOnce(() => {
      throw new Error('the disk is full');
    });
    expect(() => keptSecret(data(), 'JWT_SECRET')).toThrow(StartupError);
    expect(fs.readdirSync(data())).toEqual([]);
  });

  it('gives two processes that start at the same time the same secret', () => {
    const secret = keptSecret(data(), 'JWT_SECRET');
    jest.spyOn(fs, 'existsSync').mockReturnValueOnce(true).mockReturnValueOnce(false);
    expect(keptSecret(data(), 'JWT_SECRET')).toBe(secret);
    expect(fs.readdirSync(data())).toEqual(['jwt-secret']);
  });
});
