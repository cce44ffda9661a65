import 'reflect-metadata';

const REFUSES_UNKNOWN = Symbol('refuses unknown fields');

/**
 * Marks a request class of which every field is optional: in such a body a field that the class does not
 * declare is refused by name, as a typo there would silently do nothing.
 */
export const RefuseUnknownFields = (): ClassDecorator => (target) =>
  Reflect.defineMetadata(REFUSES_UNKNOWN, true, target);

export const refusesUnknownFields = (target: object): boolean =>
  Reflect.hasMetadata(REFUSES_UNKNOWN, target);
