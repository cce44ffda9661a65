import 'reflect-metadata';
import { Transform } from 'class-transformer';

const CHANGES = Symbol('changes of a text');

type TextChange = (text: string) => unknown;

/** Changes a value before it is validated, if it is a string; any other is left for its constraints to reject. */
export const TransformText =
  (change: TextChange): PropertyDecorator =>
  (target, property) => {
    Transform(({ value }: { value: unknown }) => changed(value, change))(target, property);
    const others = textChangesOf(target, property);
    Reflect.defineMetadata(CHANGES, [...others, change], target, property);
  };

/** The changes of a property's text, in their order. */
export const textChangesOf = (target: object, property: string | symbol): TextChange[] =>
  (Reflect.getMetadata(CHANGES, target, property) ?? []) as TextChange[];

export const changed = (value: unknown, change: TextChange): unknown =>
  typeof value === 'string' ? change(value) : value;

/** Converts a query parameter to an integer. `Number` would also accept 1e1, 0x10 and an empty text. */
export const TransformToInteger = () =>
  TransformText((text) => (/^\d+$/.test(text) ? Number(text) : text));
