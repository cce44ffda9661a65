import fs from 'node:fs';

describe('deploy/prometheus-alerts.yaml', () => {
  it('refers to headings of the documentation, once for each alert', () => {
    const alerts = fs.readFileSync('deploy/prometheus-alerts.yaml', 'utf8');
    const named = [...alerts.matchAll(/"([^"]+)"\s+in\s+(docs\/[\w-]+\.md)/g)];
    const missing = named.filter(([, heading, page]) => {
      const headings = fs.readFileSync(page!, 'utf8').matchAll(/^##+ (.+)$/gm);
      return ![...headings].some(([, text]) => text === heading);
    });

    expect(missing.map(([text]) => text)).toEqual([]);
    // The comment at the top names one, too.
    expect(named).toHaveLength(alerts.match(/- alert:/g)!.length + 1);
  });
});
