import fs from 'node:fs';
import path from 'node:path';

const { scripts } = JSON.parse(fs.readFileSync('package.json', 'utf8')) as {
  scripts: { start: string };
};
const [, flags, program] = /exec node (.*?) (\S+\.js) /.exec(scripts.start)!;

/** The arguments of node in `npm start`, with the absolute path of the program. */
export const START_ARGUMENTS = [...flags!.split(' '), path.resolve(program!)];
