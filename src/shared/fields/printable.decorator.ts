import { ValidateBy } from 'class-validator';

const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/**
 * Accepts printable ASCII without spaces at its ends.
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
