import fs from 'node:fs';
import { useFolder } from '../../../test/use-folder.js';
import { StartupError } from '../errors/startup-error.js';
import { generatedSecret } from './generated-secret.js';

describe('generatedSecret', () => {
  const folder = useFolder();
  afterEach(() => jest.restoreAllMocks());
  const data = (...names: string[]) => folder('new', 'data', ...names);
  const write = (name: string, content: string) => {
    fs.mkdirSync(data(), { recursive: true });
    fs.writeFileSync(data(name), content);
  };

  it('S10: generates 48 random bytes once, and always returns the same', () => {
    const secret = generatedSecret(data(), 'JWT_SECRET');
    expect(Buffer.from(secret, 'base64url')).toHaveLength(48);
    expect(generatedSecret(data(), 'JWT_SECRET')).toBe(secret);
    expect(generatedSecret(data(), 'LICENSE_SECRET')).not.toBe(secret);
    expect(generatedSecret(folder('other'), 'JWT_SECRET')).not.toBe(secret);
  });

  it('uses a secret placed there by hand', () => {
    write('jwt-secret', '  restored-from-a-backup-0123456789 \n');
    expect(generatedSecret(data(), 'JWT_SECRET')).toBe('restored-from-a-backup-0123456789');
  });

  it.each(['', '\n', 'too-short'])('rejects a file that contains %j, and keeps it', (content) => {
    const file = data('license-secret');
    write('license-secret', content);
    expect(() => generatedSecret(data(), 'LICENSE_SECRET')).toThrow(
      new StartupError(
        `${file} does not contain a secret. Restore it from a backup or set LICENSE_SECRET.`,
      ),
    );
    expect(fs.readFileSync(file, 'utf8')).toBe(content);
  });

  it.each(['file', 'file/data'])('rejects a path that cannot be a data folder: %s', (name) => {
    fs.writeFileSync(folder('file'), '');
    const start = () => generatedSecret(folder(name), 'JWT_SECRET');
    expect(start).toThrow(StartupError);
    expect(start).toThrow(/jwt-secret cannot be read or written \(E[A-Z]+\)\. .+ DATA_DIR/);
  });

  it('generates no license secret next to a store, because it could not open it', () => {
    write('licenses.sqlite', 'a store');
    const file = data('license-secret');
    expect(() => generatedSecret(data(), 'LICENSE_SECRET')).toThrow(
      `${file} is missing, and the store`,
    );
    expect(fs.existsSync(file)).toBe(false);
    expect(generatedSecret(data(), 'JWT_SECRET')).toHaveLength(64);
  });

  it('never leaves a file with half a secret', () => {
    jest.spyOn(fs, 'linkSync').mockImplementationOnce(() => {
      throw new Error('the disk is full');
    });
    expect(() => generatedSecret(data(), 'JWT_SECRET')).toThrow(StartupError);
    expect(fs.readdirSync(data())).toEqual([]);
  });

  it('gives concurrently starting processes the same secret', () => {
    const secret = generatedSecret(data(), 'JWT_SECRET');
    jest.spyOn(fs, 'existsSync').mockReturnValueOnce(true).mockReturnValueOnce(false);
    expect(generatedSecret(data(), 'JWT_SECRET')).toBe(secret);
    expect(fs.readdirSync(data())).toEqual(['jwt-secret']);
  });
});
