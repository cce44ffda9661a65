import fs from 'node:fs';
import { useFolder } from '../../../test/use-folder.js';
import { StartupError } from '../errors/startup-error.js';
import { loadDotEnv, warnOfLookAlikes } from './dot-env.js';

describe('.env', () => {
  const [folderBefore, envBefore] = [process.cwd(), process.env];
  const folder = useFolder();
  beforeEach(() => {
    process.chdir(folder());
    process.env = { PORT: '1' };
  });
  afterEach(() => {
    process.chdir(folderBefore);
    process.env = envBefore;
  });

  it.each([
    ['a byte order mark', '\uFEFFREGISTRATION=closed\nPORT=2\n'],
    ['CRLF', 'REGISTRATION=closed\r\nPORT=2\r\n'],
    ['comments, quotes, export and blanks', '# A: b\n\n export REGISTRATION = "closed"\n'],
  ])('is read with %s, and never overrides the environment', (_what, text) => {
    fs.writeFileSync('.env', text);
    loadDotEnv();
    expect(process.env).toEqual({ PORT: '1', REGISTRATION: 'closed' });
  });

  it('may set variables of Node and Docker Compose', () => {
    fs.writeFileSync('.env', 'NODE_ENV=production\nCOMPOSE_PROJECT_NAME=a\nTZ=UTC\n');
    loadDotEnv();
    expect(process.env).toMatchObject({ NODE_ENV: 'production', TZ: 'UTC' });
  });

  it.each<[string, string | Buffer, RegExp]>([
    ['a binary file', Buffer.from([0x50, 0x3d, 0xff, 0xfe]), /^\.env cannot be read\. .+UTF-8/],
    ['a file of zeros', 'PORT=\0', /^\.env cannot be read\. /],
    [
      'KEY: value',
      'PORT=2\nJWT_SECRET: hunter2\n',
      /^Line 2 of \.env is not of the form NAME=value\.$/,
    ],
    [
      'a misspelled name',
      'LICENCE_SECRET=a',
      /^\.env sets LICENCE_SECRET\. Did you mean LICENSE_SECRET\?$/,
    ],
    ['swapped letters', 'PROT=2', /^\.env sets PROT\. Did you mean PORT\?$/],
    ['the name of another program', 'TRUST_PROXY=a', /Did you mean TRUSTED_PROXIES\?$/],
    ['a name twice', 'PORT=2\n export PORT = 3\n', /^\.env sets PORT twice\. Remove one /],
    ['an unknown name', 'COLOR=a', /^\.env sets COLOR, which is not a variable of this service\. /],
  ])('stops the start if it is or has %s, and sets nothing', (_what, content, sentence) => {
    fs.writeFileSync('.env', content);
    expect(loadDotEnv).toThrow(StartupError);
    expect(loadDotEnv).toThrow(sentence);
    expect(process.env).toEqual({ PORT: '1' });
  });

  it('stops the start if it cannot be read', () => {
    fs.mkdirSync('.env');
    expect(loadDotEnv).toThrow(/^\.env cannot be read\. /);
  });
});

it('warns about a variable whose name is almost one of ours', () => {
  const env = { ACTIVATION_LIMITS: '1', TRUST_PROXY: '1', HOME: '/', HOST: '::', LOGNAME: 'a' };
  expect(warnOfLookAlikes(env)).toEqual([
    'The environment sets ACTIVATION_LIMITS, which has no effect. Did you mean ACTIVATION_LIMIT?',
    'The environment sets TRUST_PROXY, which has no effect. Did you mean TRUSTED_PROXIES?',
  ]);
});
