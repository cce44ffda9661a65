import 'reflect-metadata';
import { getMetadataStorage } from 'class-validator';
import { changed, textChangesOf } from '../../shared/fields/transform-text.decorator.js';

type Dto = new () => object;
type Check = (value: unknown, body: object) => boolean;

/** Reads a body that keeps to its class; undefined for any other, which the class's own validation explains. */
export type BodyReader = (body: object) => object | undefined;

const IS_COMPILED = Symbol('is compiled');

/**
 * Marks a request class whose bodies are read by a {@link BodyReader} made of its constraints, at a tenth
 * of their cost. Its fields may have any synchronous constraints, and change by `TransformText` only.
 */
export const Compiled = (): ClassDecorator => (target) =>
  Reflect.defineMetadata(IS_COMPILED, true, target);

/** The reader of a class that is marked so, made at its first use. */
export function readerOf(dto: Dto): BodyReader | undefined {
  if (!Reflect.hasOwnMetadata(IS_COMPILED, dto)) return undefined;
  let reader = READERS.get(dto);
  if (!reader) READERS.set(dto, (reader = compile(dto)));
  return reader;
}

const READERS = new WeakMap<Dto, BodyReader>();

function compile(dto: Dto): BodyReader {
  const metadata = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const properties = [...new Set(metadata.map(({ propertyName }) => propertyName))];
  const fields = properties.map((property) => ({
    property,
    changes: textChangesOf(dto.prototype as object, property),
    isMeant: checksOf(metadata, property, 'conditionalValidation'),
    isRight: checksOf(metadata, property, 'customValidation'),
  }));
  return (body) => {
    const read = new dto() as Record<string, unknown>;
    for (const { property, changes, isMeant, isRight } of fields) {
      const given = Object.hasOwn(body, property) ? (body as typeof read)[property] : undefined;
      const value = changes.reduce(changed, given);
      if (value !== undefined) read[property] = value;
      const isValid = () => isRight.every((check) => check(value, read));
      if (isMeant.every((check) => check(value, read)) && !isValid()) return undefined;
    }
    return read;
  };
}

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>;

function checksOf(metadata: Metadata, property: string, type: string): Check[] {
  const own = metadata.filter((item) => item.propertyName === property && item.type === type);
  return own.flatMap((item): Check[] => {
    const { constraints, target } = item;
    if (type === 'conditionalValidation') {
      const [condition] = constraints as [(object: object, value: unknown) => boolean];
      return [(value, object) => condition(object, value)];
    }
    const targetName = (target as Dto).name;
    return getMetadataStorage()
      .getTargetValidatorConstraints(item.constraintCls)
      .map(
        ({ instance }) =>
          (value, object) =>
            instance.validate(value, { targetName, property, object, value, constraints }) === true,
      );
  });
}
