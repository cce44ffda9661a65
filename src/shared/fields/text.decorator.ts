import { applyDecorators } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import { type TextTransform, TransformText } from './transform-text.decorator.js';

/** A string of `least` to `most` characters after trimming, without control characters; trimmed. */
export const IsText = (least: number, most: number, trim: TextTransform = (text) => text.trim()) =>
  applyDecorators(
    TransformText(trim),
    ValidateBy(
      { name: 'isTextLength', validator: { validate: (value) => hasLength(value, least, most) } },
      { message: `$property must have ${least} to ${most} characters` },
    ),
    ValidateBy(
      { name: 'isPlainText', validator: { validate: isPlainText } },
      { message: '$property must be text without control characters' },
    ),
  );

/** Counts Unicode code points; class-validator's Length does not count variation selectors. */
function hasLength(value: unknown, least: number, most: number): boolean {
  if (typeof value !== 'string') return false;
  const { length } = /[\uD800-\uDBFF]/.test(value) ? [...value] : value;
  return length >= least && length <= most;
}

/**
 * Whether a value is a string without control characters, lone surrogates and noncharacters. A lone surrogate has
 * no UTF-8 form: both engines would store another text than was sent.
 */
export function isPlainText(value: unknown): boolean {
  return typeof value === 'string' && !/\p{Cc}|\p{Cs}|\p{Noncharacter_Code_Point}/u.test(value);
}
