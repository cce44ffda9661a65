import { siteOf } from './relying-party.js';

it.each([
  ['https://licenses.example.com', 'licenses.example.com'],
  ['https://licenses.example.com:8443/', 'licenses.example.com'],
  ['http://localhost:3000', 'localhost'],
  ['http://licenses.example.com', undefined],
  ['http://localhost.example.com', undefined],
  ['https://192.0.2.1', undefined],
  ['https://[2001:db8::1]', undefined],
  [undefined, undefined],
])('PUBLIC_URL %s makes the RP id %s', (publicUrl, id) => {
  const site = siteOf(publicUrl);
  expect(site?.id).toBe(id);
  if (site) expect(site.origin).toBe(new URL(publicUrl!).origin);
});
