import path from 'node:path';
import { License } from 'license-management-client';

// What GET /signing-keys responds with. Paste it here: anyone who can change it at run time can license your software.
const { issuer, current, next } = JSON.parse(process.env.SIGNING_KEYS);

const license = new License({
  service: process.env.SERVICE,
  issuer,
  product: 'com.example.web-shop',
  keys: [current, next],
  folder: path.resolve(process.env.FOLDER),
});

try {
  // Without a stored key it sends nothing.
  const refreshed = await license.refresh();
  if (refreshed.state !== 'valid') await license.activate(process.env.KEY);
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
