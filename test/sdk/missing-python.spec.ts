import { findPython } from './find-python.js';
import { reportMissingPython } from './missing-python.js';

describe('findPython', () => {
  it('finds none where there is none', () => {
    expect(findPython({ PATH: '/nowhere' })).toBeUndefined();
  });
});

describe('reportMissingPython', () => {
  it('says so in one line and goes on', () => {
    const stderr = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    reportMissingPython({});
    expect(stderr.mock.calls).toEqual([[expect.stringMatching(/^No python3 .+\n$/)]]);
    stderr.mockRestore();
  });

  it('is a failure in CI', () => {
    expect(() => reportMissingPython({ CI: 'true' })).toThrow('No python3');
  });
});
