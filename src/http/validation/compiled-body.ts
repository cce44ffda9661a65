import 'reflect-metadata';
import { getMetadataStorage } from 'class-validator';
import { textTransformsOf, transformed } from '../../shared/fields/text.decorators.js';

type Dto = new () => object;
type Check = (value: unknown, body: object) => boolean;

/** Reads a valid body; undefined for an invalid one, whose errors class-validator then explains. */
export type BodyReader = (body: object) => object | undefined;

const READERS = new Map<unknown, BodyReader>();

/**
 * Compiles the constraints of a request class to a {@link BodyReader}, for routes where class-validator is too
 * slow. Its fields may have any synchronous constraints; `TransformText` is the only supported transform.
 */
export const Compiled = (): ClassDecorator => (target) =>
  void READERS.set(target, compile(target as unknown as Dto));

/** The reader of a class with `@Compiled()`; undefined for other classes. */
export const readerOf = (dto: Dto): BodyReader | undefined => READERS.get(dto);

function compile(dto: Dto): BodyReader {
  const metadata = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const properties = [...new Set(metadata.map(({ propertyName }) => propertyName))];
  const fields = properties.map((property) => ({
    property,
    transforms: textTransformsOf(dto.prototype as object, property),
    conditions: checksOf(metadata, property, 'conditionalValidation'),
    checks: checksOf(metadata, property, 'customValidation'),
  }));
  return (body) => {
    const read = new dto() as Record<string, unknown>;
    for (const { property, transforms, conditions, checks } of fields) {
      const given = Object.hasOwn(body, property) ? (body as typeof read)[property] : undefined;
      const value = transforms.reduce((text, each) => transformed(text, each, body), given);
      if (value !== undefined) read[property] = value;
      const pass = (check: Check) => check(value, read);
      if (conditions.every(pass) && !checks.every(pass)) return undefined;
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
