import { ApiProperty } from '@nestjs/swagger';
import { IsText } from '../../shared/fields/request.decorators.js';
import { EXAMPLE_ID } from '../../shared/fields/response.decorators.js';

export const FOUND_KINDS = ['license', 'machine', 'client', 'project', 'plan'] as const;
export type FoundKind = (typeof FOUND_KINDS)[number];

/** Body of POST /search. */
export class SearchDto {
  @ApiProperty({
    description:
      'A license key or its last four characters, also as `•••• 93KD` or `LIC-…-93KD`; the beginning of an external id; an object id; ' +
      'the hash of a machine, or its first 12 digits; or a part of the name of a client, project or plan, or of an e-mail address. ' +
      'Case and accents are ignored, except in external ids',
    minLength: 1,
    maxLength: 200,
    example: 'acme',
  })
  @IsText(1, 200)
  q!: string;
}

/** Generators of Go clients would name a constant `Client`, as they name the client itself. */
const NAMES_IN_CLIENTS = {
  'x-enum-varnames': ['FoundLicense', 'FoundMachine', 'FoundClient', 'FoundProject', 'FoundPlan'],
};

export class FoundDto {
  @ApiProperty({
    enum: FOUND_KINDS,
    enumName: 'FoundKind',
    example: 'client',
    enumSchema: NAMES_IN_CLIENTS as object,
  })
  kind!: FoundKind;

  @ApiProperty({
    description: 'Object id; for a machine, that of the license it uses',
    example: EXAMPLE_ID,
  })
  _id!: string;

  @ApiProperty({ description: 'The name; for a license, that of its project', example: 'Acme Ltd' })
  title!: string;

  @ApiProperty({
    description:
      'For a client its e-mail address, for a project its client, for a plan its product, for a license the last four characters of ' +
      'its key and its client, for a machine those characters and the project',
    example: 'office@acme.example',
  })
  subtitle!: string;
}

export class FoundRecords {
  @ApiProperty({ type: [FoundDto], description: 'Up to five of each kind, licenses first' })
  data!: FoundDto[];
}
