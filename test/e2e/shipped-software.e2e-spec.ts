import { declareCasesOf } from '../declare-cases.js';

declareCasesOf(`${__dirname}/activation`, `${__dirname}/certificates`);
