import { ApiProperty } from '@nestjs/swagger';
import { IsText } from '../../shared/fields/text.decorators.js';
import { EXAMPLE_ID } from '../../shared/fields/response.decorators.js';

export const FOUND_KINDS = ['license', 'client', 'project'] as const;
export type FoundKind = (typeof FOUND_KINDS)[number];

/** Body of POST /search. */
export class SearchDto {
  @ApiProperty({
    description:
      'A whole license key, an external id or an object id; or a part of the name or e-mail address of a client, or of the name of a ' +
      'project, in any case',
    minLength: 1,
    maxLength: 200,
    example: 'acme',
  })
  @IsText(1, 200)
  q!: string;
}

/** Generators of Go clients would name a constant `Client`, as they name the client itself. */
const NAMES_IN_CLIENTS = { 'x-enum-varnames': ['FoundLicense', 'FoundClient', 'FoundProject'] };

export class FoundDto {
  @ApiProperty({
    enum: FOUND_KINDS,
    enumName: 'FoundKind',
    example: 'client',
    enumSchema: NAMES_IN_CLIENTS as object,
  })
  kind!: FoundKind;

  @ApiProperty({ description: 'Object id', example: EXAMPLE_ID })
  _id!: string;

  @ApiProperty({ description: 'The name; of a license that of its project', example: 'Acme Ltd' })
  title!: string;

  @ApiProperty({
    description:
      'The e-mail address of a client, the client of a project, and of a license its last four characters and its client',
    example: 'office@acme.example',
  })
  subtitle!: string;
}

export class FoundRecords {
  @ApiProperty({ type: [FoundDto], description: 'Up to five of each kind, licenses first' })
  data!: FoundDto[];
}
