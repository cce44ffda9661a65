import { declareCasesOf } from '../declare-cases.js';
import { IS_FULL } from '../scope.js';

// Run serially, because the failures they inject affect the whole server.
const FOLDERS = ['store', 'limits', ...(IS_FULL ? ['migrations', 'outages'] : [])];
declareCasesOf(...FOLDERS.map((folder) => `${__dirname}/${folder}`));
