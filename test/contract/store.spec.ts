import { declareCasesOf } from '../declare-cases.js';

declareCasesOf(...['store', 'limits'].map((folder) => `${__dirname}/${folder}`));
