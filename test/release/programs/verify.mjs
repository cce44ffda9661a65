// Each program of this folder installs a certificate, and prints the state or the code of the error.
import { License, LicenseError } from 'license-management-client';

const [folder, issuer, product, fingerprint, certificate, ...jwks] = process.argv.slice(2);
const keys = jwks.map((jwk) => JSON.parse(jwk));
const service = 'https://licenses.example';
const license = new License({ service, issuer, product, keys, folder, fingerprint });
try {
  console.log(license.install(certificate).state);
} catch (error) {
  if (!(error instanceof LicenseError)) throw error;
  console.log(error.code);
}
