import { reportMissingMongod } from './missing-mongod';

describe('reportMissingMongod', () => {
  it('prints one line and does not fail', () => {
    const stderr = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    reportMissingMongod({});
    expect(stderr.mock.calls).toEqual([[expect.stringMatching(/^No mongod .+\n$/)]]);
    stderr.mockRestore();
  });

  it('fails in CI', () => {
    expect(() => reportMissingMongod({ CI: 'true' })).toThrow('No mongod');
  });
});
