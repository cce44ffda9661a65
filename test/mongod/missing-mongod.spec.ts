import { reportMissingMongod } from './missing-mongod';

describe('reportMissingMongod', () => {
  it('says so in one line and goes on', () => {
    const stderr = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    reportMissingMongod({});
    expect(stderr.mock.calls).toEqual([[expect.stringMatching(/^No mongod .+\n$/)]]);
    stderr.mockRestore();
  });

  it('is a failure in CI', () => {
    expect(() => reportMissingMongod({ CI: 'true' })).toThrow('No mongod');
  });
});
