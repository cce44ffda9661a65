// Writes the scenarios: node sdk/scenarios/generate.mjs > sdk/scenarios.json
import { CURRENT, FOREIGN, NEXT, NOW } from '../vectors/certificates.mjs';
import { addActivation } from './activation.mjs';
import { addAirGapped } from './air-gapped.mjs';
import { addClock } from './clock.mjs';
import { addEnsure } from './ensure.mjs';
import { addFolders } from './folders.mjs';
import { addHeartbeats } from './heartbeats.mjs';
import { addIncompleteKeys } from './incomplete-keys.mjs';
import { addOptions } from './options.mjs';
import { addSeats } from './seats.mjs';
import { addRefresh } from './refresh.mjs';
import { addRejections } from './rejections.mjs';
import { addReplies } from './replies.mjs';
import { PROGRAM, certificates, scenarios } from './scenario-list.mjs';
import { addStateFiles } from './state-files.mjs';
import { addTwoKeys } from './two-keys.mjs';
import { addUpdates } from './updates.mjs';

addOptions();
addActivation();
addIncompleteKeys();
addTwoKeys();
addEnsure();
addAirGapped();
addRefresh();
addRejections();
addReplies();
addSeats();
addHeartbeats();
addStateFiles();
addUpdates();
addFolders();
addClock();

const privateJwk = ({ privateKey }) => privateKey.export({ format: 'jwk' });
const signingKeys = {
  current: privateJwk(CURRENT),
  next: privateJwk(NEXT),
  foreign: privateJwk(FOREIGN),
};

const line = (value) => JSON.stringify(value);
const list = (values, indent) => values.map((value) => `${indent}${line(value)}`).join(',\n');
const members = Object.entries(certificates).map(
  ([name, text]) => `  ${line(name)}: ${line(text)}`,
);
const steps = ({ name, program, needsTls, steps: of }) =>
  ` {"name": ${line(name)},${needsTls ? `\n  "needsTls": true,` : ''}${program ? `\n  "program": ${line(program)},` : ''}\n  "steps": [\n${list(of, '   ')}]}`;

process.stdout.write(`{
"now": ${NOW},
"program": ${line(PROGRAM)},
"signingKeys": ${line(signingKeys)},
"certificates": {
${members.join(',\n')}
},
"scenarios": [
${scenarios.map(steps).join(',\n')}
]
}
`);
