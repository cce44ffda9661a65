import { Transform } from 'class-transformer';

const FIELDS = new Set<string>();
const SENT = new WeakMap<object, Readonly<Record<string, unknown>>>();

/**
 * A field of bodies that is read as it was sent. In metadata any name is data, but the library drops some names in what it
 * transforms,
 * and uses a property named `constructor` as a class.
 */
export const AsSent = (): PropertyDecorator => (target, field) => {
  FIELDS.add(field as string);
  const sentValue = ({ obj, key }: { obj: object; key: string }) => SENT.get(obj)?.[key];
  Transform(sentValue)(target, field);
};

/** A copy of a body for the library, in which these fields are null until {@link AsSent} reads them. */
export function withoutSentFields(body: object): object {
  const fields = Object.entries(body);
  const copy = Object.fromEntries(
    fields.map(([name, value]) => [name, FIELDS.has(name) ? null : (value as unknown)]),
  );
  SENT.set(copy, body as Readonly<Record<string, unknown>>);
  return copy;
}
