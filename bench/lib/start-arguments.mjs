import fs from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../..', import.meta.url);
const { scripts } = JSON.parse(fs.readFileSync(new URL('package.json', ROOT), 'utf8'));
const [, flags, program] = /exec node (.*?) (\S+\.js) /.exec(scripts.start);

/** The arguments of node in `npm start`, with the absolute path of the program. */
export const START_ARGUMENTS = [...flags.split(' '), fileURLToPath(new URL(program, ROOT))];
