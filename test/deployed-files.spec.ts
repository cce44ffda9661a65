import fs from 'node:fs';
import path from 'node:path';
import { VARIABLES } from '../src/shared/config/environment.js';
import { START_ARGUMENTS } from './start-arguments.js';

const read = (file: string) => fs.readFileSync(file, 'utf8');

describe('.env.example (S10)', () => {
  const text = read('.env.example');

  it('lists exactly the variables of the service, with their defaults', () => {
    const examples = [...text.matchAll(/^#([A-Z_]+)=(.*)$/gm)].map(([, ...pair]) => pair);
    const defaults = Object.entries(VARIABLES).map(([name, { default: value }]) => [
      name,
      // oxlint-disable-next-line typescript/no-base-to-string -- no default is an object
      String(value ?? ''),
    ]);
    expect(examples.toSorted()).toEqual(defaults.toSorted());
  });

  it('sets nothing, so that an unedited copy changes nothing', () => {
    expect(text).not.toMatch(/^[^#\n]/m);
  });
});

it('deploy/prometheus-alerts.yaml refers to headings of the documentation, once for each alert', () => {
  const alerts = read('deploy/prometheus-alerts.yaml');
  const named = [...alerts.matchAll(/"([^"]+)"\s+in\s+(docs\/[\w/-]+\.md)/g)];
  const missing = named.filter(([, heading, page]) => {
    const headings = read(page!).matchAll(/^##+ (.+)$/gm);
    return ![...headings].some(([, text]) => text === heading);
  });

  expect(missing.map(([text]) => text)).toEqual([]);
  // The comment at the top also names one.
  expect(named).toHaveLength(alerts.match(/- alert:/g)!.length + 1);
});

it('deploy/license-service.service starts Node with the options of npm start', () => {
  const [, command = ''] = /^ExecStart=\/usr\/bin\/node (.*)$/m.exec(
    read('deploy/license-service.service'),
  )!;
  const args = command.split(' ');
  expect([...args.slice(0, -1), path.resolve(args.at(-1)!)]).toEqual(START_ARGUMENTS);
});

it('the container image starts Node with the options of npm start, and is labeled with the package version', () => {
  const dockerfile = read('Dockerfile');
  const [, command = ''] = /^CMD (.*)$/m.exec(dockerfile) ?? [];
  const [node, ...args] = JSON.parse(command) as string[];
  expect([node, ...args.slice(0, -1), path.resolve(args.at(-1)!)]).toEqual([
    ...['node', ...START_ARGUMENTS],
  ]);
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect(dockerfile).toContain(`image.version="${version}"`);
});
