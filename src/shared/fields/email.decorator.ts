import { applyDecorators } from '@nestjs/common';
import { isEmail, MaxLength, ValidateBy } from 'class-validator';
import { isPlainText } from './text.decorator.js';
import { TransformText } from './transform-text.decorator.js';

/** The form in which an e-mail address is stored and compared: trimmed, in lower case. */
export const normalEmail = (email: string): string => email.trim().toLowerCase();

/** An e-mail address of at most 254 characters (RFC 5321), in its normal form. */
export const IsEmailAddress = () =>
  applyDecorators(
    TransformText(normalEmail),
    ValidateBy(
      {
        name: 'isEmail',
        // isEmail throws on a lone surrogate, and lets control characters through between quotes.
        validator: { validate: (value) => isPlainText(value) && isEmail(value) },
      },
      { message: '$property must be an email' },
    ),
    MaxLength(254),
  );
