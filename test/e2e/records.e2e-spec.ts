import { declareCasesOf } from '../declare-cases.js';

const folders = ['clients', 'projects', 'licenses', 'dashboard', 'idempotency'];
declareCasesOf(...folders.map((folder) => `${__dirname}/${folder}`));
