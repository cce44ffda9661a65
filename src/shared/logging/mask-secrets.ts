const MASK = '[Redacted]';

/** What may be in a text that others have written, such as the message of an error. Each is bounded: no text takes long. */
const SECRETS = [
  // A license key after its prefix, its hyphens percent-encoded or not.
  /[0-9a-f]{24}(?:(?:-|%2D)[0-9a-z]{4}){3}/gi,
  // A JSON Web Token, cut off or not.
  /\beyJ[\w-]{10,}(?:\.[\w-]*){0,2}/g,
  // 32 bytes in base64url: a refresh token, or the hash by which a record is found.
  /(?<![\w-])[\w-]{43}(?![\w-])/g,
  // An e-mail address. Of a URI with credentials, this is the password and the host.
  /[^\s"'`\\/:@<>(){}]{1,64}@[^\s"'`\\/@<>(){}]{1,255}/g,
  // The values of a unique index, in an error of MongoDB.
  /(?<=dup key: \{)[^}]*(?=\})/g,
];

/** A text with license keys, tokens, hashes and e-mail addresses masked. */
export function maskSecrets(text: string): string {
  return SECRETS.reduce((masked, secret) => masked.replace(secret, MASK), text);
}
