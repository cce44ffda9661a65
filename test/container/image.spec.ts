import fs from 'node:fs';
import path from 'node:path';
import { START_ARGUMENTS } from '../start-arguments.js';

const DOCKERFILE = fs.readFileSync('Dockerfile', 'utf8');
const [, command = ''] = /^CMD (.*)$/m.exec(DOCKERFILE) ?? [];
const [, version] = /image\.version="(.*)"/.exec(DOCKERFILE) ?? [];

describe('the container image', () => {
  it('starts Node with the options of npm start', () => {
    const [node, ...args] = JSON.parse(command) as string[];
    expect([node, ...args.slice(0, -1), path.resolve(args.at(-1)!)]).toEqual([
      'node',
      ...START_ARGUMENTS,
    ]);
  });

  it('is labelled with the version of the package', () => {
    expect(version).toBe(
      (JSON.parse(fs.readFileSync('package.json', 'utf8')) as { version: string }).version,
    );
  });
});
