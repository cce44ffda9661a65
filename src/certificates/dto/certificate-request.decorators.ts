import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';

/** Printable ASCII without leading or trailing spaces, so that every language hashes the same bytes. */
const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/**
 * Accepts the fingerprint of a certificate.
 *
 * @param appliesTo whether a body is checked
 */
export const IsPrintable = (appliesTo: (body: object) => boolean = () => true) =>
  ValidateBy(
    {
      name: 'isPrintable',
      validator: {
        validate: (value, args) =>
          !appliesTo(args!.object) || (typeof value === 'string' && PRINTABLE.test(value)),
      },
    },
    { message: '$property must be printable ASCII without spaces at its ends' },
  );

/** Documents a certificate in a response. */
export const ApiCertificate = (description: string, { required = true } = {}) =>
  ApiProperty({
    description,
    type: String,
    required,
    maxLength: 4096,
    pattern: '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$',
    example: 'eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiI2NjVmIn0.c2lnbmF0dXJl',
  });
