import { findChromium } from '../../bench/lib/find-chromium.mjs';
import { reportMissingChromium } from './missing-chromium.js';

describe('findChromium', () => {
  it('finds none where there is none', () => {
    expect(findChromium({ PATH: '/nowhere' })).toBeUndefined();
  });

  it('takes the one that CHROMIUM names', () => {
    expect(findChromium({ CHROMIUM: '/opt/chromium', PATH: '' })).toBe('/opt/chromium');
  });
});

describe('reportMissingChromium', () => {
  it('says so in one line and goes on', () => {
    const stderr = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    reportMissingChromium({});
    expect(stderr.mock.calls).toEqual([[expect.stringMatching(/^No Chromium .+\n$/)]]);
    stderr.mockRestore();
  });

  it('is a failure in CI', () => {
    expect(() => reportMissingChromium({ CI: 'true' })).toThrow('No Chromium');
  });
});
