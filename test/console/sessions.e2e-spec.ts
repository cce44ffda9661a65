import { declareCasesOf } from '../declare-cases.js';

// In one spec, as a service and a browser take seconds to start.
declareCasesOf(`${__dirname}/sessions`, `${__dirname}/portal`, `${__dirname}/failures`);
