import 'reflect-metadata';
import { Transform } from 'class-transformer';

const TRANSFORMS = Symbol('text transforms');

/** @param body the body of the field, before any transform */
export type TextTransform = (text: string, body: object) => unknown;

/** Transforms a string before it is validated; the constraints reject values of other types. */
export const TransformText =
  (transform: TextTransform): PropertyDecorator =>
  (target, property) => {
    Transform(({ value, obj }: { value: unknown; obj: object }) =>
      transformed(value, transform, obj),
    )(target, property);
    const others = textTransformsOf(target, property);
    Reflect.defineMetadata(TRANSFORMS, [...others, transform], target, property);
  };

/** The transforms of a property, in order. */
export const textTransformsOf = (target: object, property: string | symbol): TextTransform[] =>
  (Reflect.getMetadata(TRANSFORMS, target, property) ?? []) as TextTransform[];

export const transformed = (value: unknown, transform: TextTransform, body: object): unknown =>
  typeof value === 'string' ? transform(value, body) : value;
