import { declareCasesOf } from '../declare-cases.js';

declareCasesOf(`${__dirname}/service`, `${__dirname}/webhooks`, `${__dirname}/../document`);
