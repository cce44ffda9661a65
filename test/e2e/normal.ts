/** Ids, hashes of machines, names of signing keys, the random parts of license keys, their hints, and those of e-mail addresses. */
const NEW_EACH_TIME =
  /(?<![\w-])[\w-]{43}(?![\w-])|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}|[0-9a-f]{24}|(?<=•••• )[A-Z0-9]{4}|(-[A-Z0-9]{4}){3}$/g;

/** Responses without their tokens, certificates and cursors, and with what is new each time numbered by where it appears first. */
export function normal(responses: object): unknown {
  const numbers = new Map<string, string>();
  const numberOf = (found: string) => {
    if (!numbers.has(found)) numbers.set(found, `#${numbers.size}`);
    return numbers.get(found)!;
  };
  return JSON.parse(JSON.stringify(responses), (name, value: unknown) => {
    if (typeof value !== 'string') return value;
    if (/Token$|^certificate$|^nextCursor$/.test(name)) return name;
    return ['kid', 'x', 'keyHint', 'secret', 'invitation'].includes(name)
      ? numberOf(value)
      : value.replaceAll(NEW_EACH_TIME, numberOf);
  }) as unknown;
}
