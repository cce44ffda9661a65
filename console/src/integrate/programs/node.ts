import { asJson, literal, type Program } from './program.js';

export const node: Program = {
  file: 'web-shop.mjs',
  install: {
    details:
      'Not on npm yet: build it once from the service repository (after npm ci), then install the file in your app.',
    lines: [
      'npm run --prefix sdk/node build',
      'npm pack ./sdk/node',
      'npm install ./license-management-client-0.1.0.tgz',
    ],
  },
  source: `import { License } from 'license-management-client';
const { issuer, current, next } = SIGNING_KEYS;
const service = 'https://licenses.example';
const product = 'com.example.web-shop';
const folder = '/var/lib/web-shop';
const license = new License({ service, issuer, product, keys: [current, next], folder });
if (license.status().state !== 'valid') await license.refresh();
if (license.status().state !== 'valid') await license.activate(process.env.LICENSE_KEY);
if (license.status().state !== 'valid') process.exit(1);
license.keepFresh();
`,
  fill: (values) => [
    ['SIGNING_KEYS', asJson(values)],
    ["'https://licenses.example'", literal(values.service)],
    ["'com.example.web-shop'", literal(values.product)],
    ["'/var/lib/web-shop'", literal(values.folder)],
  ],
};
