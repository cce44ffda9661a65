import { declareCasesOf } from '../declare-cases.js';

declareCasesOf(`${__dirname}/auth`, `${__dirname}/access`, `${__dirname}/console`);
