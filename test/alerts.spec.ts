import fs from 'node:fs';

describe('deploy/prometheus-alerts.yaml', () => {
  it('refers to headings of docs/operating.md, once for each alert', () => {
    const alerts = fs.readFileSync('deploy/prometheus-alerts.yaml', 'utf8');
    const guide = fs.readFileSync('docs/operating.md', 'utf8');
    const headings = new Set([...guide.matchAll(/^##+ (.+)$/gm)].map(([, heading]) => heading));
    const named = [...alerts.matchAll(/"([^"]+)"\s+in\s+docs\/operating\.md/g)].map(
      ([, name]) => name,
    );

    expect(named.filter((name) => !headings.has(name))).toEqual([]);
    // The comment at the top names one, too.
    expect(named).toHaveLength(alerts.match(/- alert:/g)!.length + 1);
  });
});
