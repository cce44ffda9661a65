import 'reflect-metadata';

const REJECTS_UNKNOWN = Symbol('refuses unknown fields');

/**
 * Marks a request class of which every field is optional: in such a body a field that the class does not
 * declare is rejected by name, as a typo there would silently do nothing.
 */
export const RejectUnknownFields = (): ClassDecorator => (target) =>
  Reflect.defineMetadata(REJECTS_UNKNOWN, true, target);

export const rejectsUnknownFields = (target: object): boolean =>
  Reflect.hasMetadata(REJECTS_UNKNOWN, target);
