import { declareCasesOf } from '../declare-cases.js';

declareCasesOf(`${__dirname}/records`, `${__dirname}/jobs`);
