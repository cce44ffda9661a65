/** Prefix of a text in stored JSON that represents a date; doubled to escape other texts with this prefix. */
const MARK = '\0';

/**
 * JSON with dates as marked texts.
 *
 * @throws Error if a value is undefined, which JSON cannot represent
 */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, function (this: Record<string, unknown>, name, member: unknown) {
    if (member === undefined) throw new Error('A member of stored JSON is undefined');
    if (typeof member !== 'string') return member;
    return this[name] instanceof Date || member.startsWith(MARK) ? MARK + member : member;
  });

export const fromJson = (json: string): unknown =>
  JSON.parse(json, (_name, member: unknown) => {
    if (typeof member !== 'string' || !member.startsWith(MARK)) return member;
    return member.startsWith(MARK, 1) ? member.slice(1) : new Date(member.slice(1));
  });
