import path from 'node:path';
import { License } from 'license-management-client';

// The response of GET /signing-keys. Paste it here: anyone who can change it at run time can license your software.
const { issuer, current, next } = JSON.parse(process.env.SIGNING_KEYS);

const license = new License({
  service: process.env.SERVICE,
  issuer,
  product: 'com.example.web-shop',
  keys: [current, next],
  folder: path.resolve(process.env.FOLDER),
});

try {
  // The certificate of each start is new, so a revocation arrives at the next one.
  await license.refresh();
  await license.ensure(process.env.KEY);
} catch (error) {
  console.error(error.message);
}
const { isValid, state, validUntil, services, reason } = license.status();
if (isValid) {
  console.log(`Licensed until ${validUntil.toISOString()} for ${services.join(' and ')}.`);
} else {
  console.error(`Not licensed: ${state} (${reason}).`);
  process.exitCode = 1;
}
