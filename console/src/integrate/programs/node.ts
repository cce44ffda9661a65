import { asJson, literal, type Program } from './program.js';

export const node: Program = {
  file: 'web-shop.mjs',
  install: {
    details:
      'Not on npm yet: in a checkout of the service repository, after npm ci, build the package and install it in your app (here ~/web-shop).',
    blocks: [
      {
        place: 'service',
        lines: [
          'mkdir -p ~/web-shop',
          'npm pack --ignore-scripts=false --pack-destination ~/web-shop ./sdk/node',
          'npm install --prefix ~/web-shop ~/web-shop/license-management-client-0.1.0.tgz',
        ],
      },
    ],
  },
  source: `import os from 'node:os';
import { License } from 'license-management-client';
const { issuer, current, next } = SIGNING_KEYS;
const service = 'https://licenses.example';
const product = 'com.example.web-shop';
const folder = '/var/lib/web-shop';
const keys = [current, next];
const machineName = os.hostname();
const license = new License({ service, issuer, product, keys, folder, machineName });
const { isValid, state, perpetual, expiresAt } = await license.ensure(process.env.LICENSE_KEY);
if (!isValid) throw new Error(\`This program is not licensed: \${state}\`);
console.log(perpetual ? 'Licensed' : \`Licensed until \${expiresAt.toISOString()}\`);
license.keepFresh();
`,
  fill: (values) => [
    ['SIGNING_KEYS', asJson(values)],
    ["'https://licenses.example'", literal(values.service)],
    ["'com.example.web-shop'", literal(values.product)],
    ["'/var/lib/web-shop'", literal(values.folder)],
  ],
};
