const SECRET_FIELDS = [
  ...['password', 'currentPassword', 'newPassword', 'key', 'fingerprint'],
  ...['secret', 'invitation', 'accessToken', 'refreshToken', 'token', 'recoveryCode'],
];
const SECRET_HEADERS = ['authorization', 'idempotency-key'];

/** The secret fields in a text that is (almost) JSON; values are still escaped. */
const FIELD = new RegExp(`"(?:${SECRET_FIELDS.join('|')})"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)"`, 'g');

/** The length of the shortest password. Shorter values in these fields are words that may appear in logs. */
const SHORTEST = 12;

/** Keys and tokens, wherever they appear: in a path, a query or a header. */
const SHAPES = [
  /[A-Z0-9]{1,16}-[0-9A-F]{24}(?:-[A-Z0-9]{4}){3}/gi,
  /eyJ[\w-]+\.[\w-]+\.[\w-]+/g,
  /\b(?:lms|whsec)_[\w-]{20,}/g,
];

/** The token of a link, after its path. */
const LINK_TOKEN = /(?<=\/(?:sign-in|reset-password|confirm-email|join)#)[\w-]{20,}/g;

/** Parts that differ in otherwise equal lines; without them, equal lines are searched only once. */
const OWN_TO_EACH = /"time":"[\w:.-]+"|"reqId":"[\w-]{36}"|"ms":[\d.]+/g;

/** DER of an Ed25519 private key (PKCS #8) before its 32 bytes. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Possible encodings of a private key: hex, base64, base64url, and base64 of its PKCS #8. */
function formsOf(seed: Buffer): string[] {
  const pkcs8 = Buffer.concat([PKCS8_HEAD, seed]).toString('base64');
  const own = pkcs8.slice(Math.ceil((PKCS8_HEAD.length * 4) / 3), -2);
  const base64 = seed.toString('base64').replace(/=+$/, '');
  return [seed.toString('hex'), base64, seed.toString('base64url'), own];
}

/** Secrets by their first characters, so that a text is searched for all of them at the same time. */
type Secrets = Map<string, Set<string>>;

/** Remembers the secrets that pass between a test and the service, and finds leaks. */
export class SecretWatch {
  private readonly secrets: Secrets = new Map();
  /** Secrets that no response may contain, whatever its status: private keys, and tokens that travel by mail only. */
  private readonly neverShown: Secrets = new Map();
  /** Error bodies without their variable parts. */
  private readonly errors = new Set<string>();

  constructor() {
    this.add('$argon2id$v=');
  }

  add(secret: string): void {
    for (const form of [secret, JSON.stringify(secret).slice(1, -1)]) remember(form, this.secrets);
  }

  /**
   * @param seed a private signing key: 32 bytes
   * @param sealed its stored form
   */
  addPrivateKey(seed: Buffer, sealed: string): void {
    for (const form of [...formsOf(seed), sealed]) {
      remember(form, this.secrets);
      remember(form, this.neverShown);
    }
  }

  /** @param isShown whether a response has the link, too */
  mailed(text: string, isShown: boolean): void {
    this.addLinksIn(text);
    if (isShown) return;
    for (const [token] of text.matchAll(LINK_TOKEN)) remember(token, this.neverShown);
  }

  sent(body: unknown, headers: Record<string, string>, url = ''): void {
    if (typeof body === 'string') this.addFieldsOf(body);
    this.addShapesIn(decoded(url));
    for (const [name, value] of Object.entries(headers)) {
      if (SECRET_HEADERS.includes(name.toLowerCase())) this.add(value.replace(/^Bearer /, ''));
      if (name.toLowerCase() === 'cookie')
        value.split(/; ?/).forEach((each) => this.addCookie(each));
      this.addShapesIn(value);
    }
  }

  /**
   * @param cookies the values of `Set-Cookie`
   * @throws Error that shows a body containing a private key or the token of a mailed link
   */
  responded(status: number, body: string, cookies: readonly string[] = []): void {
    expectNone(body, this.neverShown);
    cookies.forEach((each) => this.addCookie(each));
    this.addFieldsOf(body);
    this.addLinksIn(body);
    if (status >= 400) this.errors.add(body.replace(/"requestId":"[\w-]+"/, ''));
  }

  /** @throws Error that shows a log line or error body containing one of the secrets */
  expectNoneIn(log: readonly string[]): void {
    const lines = log
      .flatMap((text) => text.split('\n'))
      .map((line) => line.replace(OWN_TO_EACH, ''));
    for (const text of [...new Set(lines), ...this.errors]) expectNone(text, this.secrets);
  }

  private addFieldsOf(text: string): void {
    for (const [, value = ''] of text.matchAll(FIELD)) {
      try {
        this.add(JSON.parse(`"${value}"`) as string);
      } catch {
        this.add(value);
      }
    }
  }

  private addLinksIn(text: string): void {
    for (const [token] of text.matchAll(LINK_TOKEN)) this.add(token);
  }

  /** @param cookie starts with `name=value` */
  private addCookie(cookie: string): void {
    this.add(/=([^;]*)/.exec(cookie)?.[1] ?? '');
  }

  private addShapesIn(text: string): void {
    for (const shape of SHAPES) for (const [secret] of text.matchAll(shape)) this.add(secret);
  }
}

function remember(secret: string, secrets: Secrets): void {
  if (secret.length < SHORTEST) return;
  const folded = secret.toLowerCase();
  const start = folded.slice(0, SHORTEST);
  secrets.set(start, (secrets.get(start) ?? new Set()).add(folded));
}

function expectNone(text: string, secrets: Secrets): void {
  if (secrets.size === 0) return;
  const secret =
    findIn(text.toLowerCase(), secrets) ?? findIn(decoded(text).toLowerCase(), secrets);
  if (secret) throw new Error(`The secret ${secret} leaked: ${text.slice(0, 2000)}`);
}

function findIn(text: string, secrets: Secrets): string | undefined {
  for (let at = 0; at <= text.length - SHORTEST; at += 1) {
    for (const secret of secrets.get(text.slice(at, at + SHORTEST)) ?? []) {
      if (text.startsWith(secret, at)) return secret;
    }
  }
  return undefined;
}

/** A text with its percent-encoded ASCII characters decoded. */
function decoded(text: string): string {
  return text.replace(/%([2-7][0-9a-f])/gi, (_match, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
}
