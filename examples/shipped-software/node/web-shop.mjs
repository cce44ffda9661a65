import path from 'node:path';
import { License } from 'license-management-client';

// What GET /signing-keys responds with. Paste it here: whoever can change it at run time can license your software.
const { issuer, current, next } = JSON.parse(process.env.SIGNING_KEYS);

const license = new License({
  service: process.env.SERVICE,
  issuer,
  product: 'com.example.web-shop',
  keys: [current, next],
  folder: path.resolve(process.env.FOLDER),
});

try {
  if (license.status().state === 'none') await license.activate(process.env.KEY);
  else await license.refresh();
} catch (error) {
  console.error(error.message);
}
const { state, until, services, reason } = license.status();
if (state === 'valid') {
  console.log(`Licensed until ${until.toISOString()} for ${services.join(' and ')}.`);
} else {
  console.error(`Not licensed: ${state} (${reason}).`);
  process.exitCode = 1;
}
