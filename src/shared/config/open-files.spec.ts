import { limitConnections } from './open-files.js';

describe('limitConnections', () => {
  it('keeps MAX_CONNECTIONS if the process can open enough files', () => {
    for (const files of [6_250, Infinity]) {
      expect(limitConnections(5_000, files)).toEqual({ maxConnections: 5_000, warnings: [] });
    }
    expect(limitConnections(1)).toEqual({ maxConnections: 1, warnings: [] });
  });

  it('lowers it if the process cannot, and says which limit to raise', () => {
    const { maxConnections, warnings } = limitConnections(5_000, 1_024);
    expect(maxConnections).toBe(819);
    expect(warnings).toEqual([
      'This process can open only 1024 files, so it accepts 819 connections instead of 5000. ' +
        'Allow it 6250 files (ulimit -n) or lower MAX_CONNECTIONS.',
    ]);
  });
});
