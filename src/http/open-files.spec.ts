import { boundConnections } from './open-files.js';

describe('boundConnections', () => {
  it('leaves MAX_CONNECTIONS as it is if the process may open enough files', () => {
    for (const files of [6_250, Infinity]) {
      expect(boundConnections(5_000, files)).toEqual({ maxConnections: 5_000, warnings: [] });
    }
    expect(boundConnections(1)).toEqual({ maxConnections: 1, warnings: [] });
  });

  it('accepts fewer connections if it may not, and says which limit to raise', () => {
    const { maxConnections, warnings } = boundConnections(5_000, 1_024);
    expect(maxConnections).toBe(819);
    expect(warnings).toEqual([
      'This process can open only 1024 files, so it accepts 819 connections instead of 5000. ' +
        'Allow it 6250 files (ulimit -n) or lower MAX_CONNECTIONS.',
    ]);
  });
});
