import { asJson, literal, type Program } from './program.js';

export const node: Program = {
  file: 'web-shop.mjs',
  install: {
    details:
      'Not on npm yet: build it once from the service repository (after npm ci), then install the file in your app.',
    blocks: [
      {
        place: 'service',
        lines: ['npm run --prefix sdk/node build', 'npm pack ./sdk/node'],
      },
      {
        place: 'app',
        lines: ['npm install "$CHECKOUT/license-management-client-0.1.0.tgz"'],
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
if (license.status().state !== 'valid') await license.refresh();
if (license.status().state !== 'valid') await license.activate(process.env.LICENSE_KEY);
const { state, until, reason } = license.status();
if (state !== 'valid') throw new Error(\`This program is not licensed: \${reason}\`);
console.log(\`Licensed until \${until.toISOString()}\`);
license.keepFresh();
`,
  fill: (values) => [
    ['SIGNING_KEYS', asJson(values)],
    ["'https://licenses.example'", literal(values.service)],
    ["'com.example.web-shop'", literal(values.product)],
    ["'/var/lib/web-shop'", literal(values.folder)],
  ],
};
