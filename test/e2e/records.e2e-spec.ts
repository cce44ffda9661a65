import { declareCasesOf } from '../declare-cases.js';

const folders = [
  'clients',
  'portal',
  'plans',
  'bin',
  'projects',
  'licenses',
  'imports',
  'events',
  'dashboard',
  'idempotency',
  'customer-mail',
];
declareCasesOf(...folders.map((folder) => `${__dirname}/${folder}`));
