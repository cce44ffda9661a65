import { findBrowser } from '../console/find-browser';
import { findNginx } from '../nginx/find-nginx';
import { findPython } from '../sdk/python';
import { reportMissingTool } from './missing-tool';

describe('a tool that is missing', () => {
  it.each([findBrowser, findNginx, findPython])('is not found', (find) => {
    expect(find({ PATH: '/nowhere' })).toBeUndefined();
  });

  it('is reported in one line, and fails in CI', () => {
    const stderr = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    reportMissingTool('No nginx.', {});
    expect(stderr.mock.calls).toEqual([['No nginx.\n']]);
    stderr.mockRestore();
    expect(() => reportMissingTool('No nginx.', { CI: 'true' })).toThrow('No nginx.');
  });
});
