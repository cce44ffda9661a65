import { reportMissingTool } from './missing-tool';

it('a missing tool is reported in one line, and fails the run in CI', () => {
  const stderr = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  reportMissingTool('No nginx.', {});
  expect(stderr.mock.calls).toEqual([['No nginx.\n']]);
  stderr.mockRestore();
  expect(() => reportMissingTool('No nginx.', { CI: 'true' })).toThrow('No nginx.');
});
