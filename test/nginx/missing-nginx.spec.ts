import { findNginx } from './find-nginx.js';
import { reportMissingNginx } from './missing-nginx.js';

describe('findNginx', () => {
  it('finds none where there is none', () => {
    expect(findNginx({ PATH: '/nowhere' })).toBeUndefined();
  });
});

describe('reportMissingNginx', () => {
  it('says so in one line and goes on', () => {
    const stderr = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    reportMissingNginx({});
    expect(stderr.mock.calls).toEqual([[expect.stringMatching(/^No nginx .+\n$/)]]);
    stderr.mockRestore();
  });

  it('is a failure in CI', () => {
    expect(() => reportMissingNginx({ CI: 'true' })).toThrow('No nginx');
  });
});
