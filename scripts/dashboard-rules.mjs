// Prints the queries of the Grafana dashboard as recording rules, for promtool to check.
import fs from 'node:fs';

const { panels } = JSON.parse(fs.readFileSync('deploy/grafana-dashboard.json', 'utf8'));
const rules = panels.flatMap(({ id, targets }) =>
  targets.map(({ refId, expr }) => ({
    record: `panel_${id}:${refId}`,
    expr: expr.replaceAll('$__rate_interval', '5m'),
  })),
);
// JSON is YAML.
process.stdout.write(`${JSON.stringify({ groups: [{ name: 'dashboard', rules }] }, null, 2)}\n`);
