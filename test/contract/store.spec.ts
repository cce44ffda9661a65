import { declareCasesOf } from '../declare-cases.js';

declareCasesOf(...['store', 'limits', 'webhooks'].map((folder) => `${__dirname}/${folder}`));
