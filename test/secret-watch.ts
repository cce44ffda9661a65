const SECRET_FIELDS = ['password', 'currentPassword', 'newPassword', 'key', 'fingerprint'];
const TOKEN_FIELDS = ['accessToken', 'refreshToken'];
const SECRET_HEADERS = ['authorization', 'idempotency-key'];

/** The fields with secrets in a text that is JSON, or nearly; the value is still escaped. */
const FIELD = new RegExp(
  `"(?:${[...SECRET_FIELDS, ...TOKEN_FIELDS].join('|')})"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)"`,
  'g',
);

/** The length of the shortest password. Shorter values in these fields are words that a log may hold. */
const SHORTEST = 12;

/** Keys and tokens, wherever they stand: in a path, a query or any header. */
const SHAPES = [/[A-Z0-9]{1,16}-[0-9A-F]{24}(?:-[A-Z0-9]{4}){3}/gi, /eyJ[\w-]+\.[\w-]+\.[\w-]+/g];

/** Parts in which otherwise equal lines differ: without them, equal lines are searched once. */
const OWN_TO_EACH = /"time":"[\w:.-]+"|"reqId":"[\w-]{36}"|"ms":[\d.]+/g;

/** Remembers the secrets that pass between a test and the service, and finds those that leaked. */
export class SecretWatch {
  /** By their first characters, so that a text is searched for all of them at once. */
  private readonly secrets = new Map<string, Set<string>>();
  /** Error bodies without what differs in each. */
  private readonly errors = new Set<string>();

  constructor() {
    this.add('$argon2id$v=');
  }

  add(secret: string): void {
    for (const form of [secret, JSON.stringify(secret).slice(1, -1)]) {
      if (form.length < SHORTEST) continue;
      const folded = form.toLowerCase();
      const start = folded.slice(0, SHORTEST);
      this.secrets.set(start, (this.secrets.get(start) ?? new Set()).add(folded));
    }
  }

  sent(body: unknown, headers: Record<string, string>, url = ''): void {
    if (typeof body === 'string') this.addFieldsOf(body);
    this.addShapesIn(decoded(url));
    for (const [name, value] of Object.entries(headers)) {
      if (SECRET_HEADERS.includes(name.toLowerCase())) this.add(value.replace(/^Bearer /, ''));
      this.addShapesIn(value);
    }
  }

  responded(status: number, body: string): void {
    this.addFieldsOf(body);
    if (status >= 400) this.errors.add(body.replace(/"requestId":"[\w-]+"/, ''));
  }

  /** @throws Error that shows a line of the log, or an error body, with one of the secrets in it */
  expectNoneIn(log: readonly string[]): void {
    const lines = log
      .flatMap((text) => text.split('\n'))
      .map((line) => line.replace(OWN_TO_EACH, ''));
    for (const text of [...new Set(lines), ...this.errors]) {
      const secret = this.findIn(text.toLowerCase()) ?? this.findIn(decoded(text).toLowerCase());
      if (secret) throw new Error(`The secret ${secret} is told: ${text.slice(0, 2000)}`);
    }
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

  private addShapesIn(text: string): void {
    for (const shape of SHAPES) for (const [secret] of text.matchAll(shape)) this.add(secret);
  }

  private findIn(text: string): string | undefined {
    for (let at = 0; at <= text.length - SHORTEST; at += 1) {
      for (const secret of this.secrets.get(text.slice(at, at + SHORTEST)) ?? []) {
        if (text.startsWith(secret, at)) return secret;
      }
    }
    return undefined;
  }
}

/** A text with its percent-encoded ASCII characters decoded. */
function decoded(text: string): string {
  return text.replace(/%([2-7][0-9a-f])/gi, (_match, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
}
