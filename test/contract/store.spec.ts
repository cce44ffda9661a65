import { declareCasesOf } from '../declare-cases.js';
import { IS_FULL } from '../scope.js';

// One after the other: the failures that they inject are of the whole server.
const FOLDERS = ['store', 'limits', ...(IS_FULL ? ['migrations', 'outages'] : [])];
declareCasesOf(...FOLDERS.map((folder) => `${__dirname}/${folder}`));
