import 'reflect-metadata';

const REJECTS_UNKNOWN = Symbol('rejects unknown fields');

/**
 * Rejects undeclared fields in the body of a request class. For classes whose fields are all optional: a typo there
 * would silently do nothing.
 */
export const RejectUnknownFields = (): ClassDecorator => (target) =>
  Reflect.defineMetadata(REJECTS_UNKNOWN, true, target);

export const rejectsUnknownFields = (target: object): boolean =>
  Reflect.hasMetadata(REJECTS_UNKNOWN, target);
