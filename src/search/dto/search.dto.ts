import { ApiProperty } from '@nestjs/swagger';
import { EXAMPLE_ID } from '../../shared/fields/response.decorators.js';
import { IsTextAs } from '../../shared/fields/request.decorators.js';

export const FOUND_KINDS = ['license', 'machine', 'client', 'project', 'plan'] as const;
export type FoundKind = (typeof FOUND_KINDS)[number];

/** Body of POST /search. */
export class SearchDto {
  // A key copied from an email can contain line breaks.
  @IsTextAs((text) => text.trim().replaceAll(/\s+/g, ' ').normalize('NFC'), 1, 200, {
    description:
      'A license key or its last four characters, also as `•••• 93KD` or `LIC-…-93KD`; the beginning of an external id; an object id; ' +
      'a machine hash or its first 12 digits; or part of the name of a client, project or plan, or of an email address. ' +
      'Case and accents are ignored, except in external ids.',
    example: 'acme',
  })
  q!: string;
}

/** Generators of Go clients would name a constant `Client`, which is also the name of the client class. */
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
    description: 'Object id; for a machine, the id of its license',
    example: EXAMPLE_ID,
  })
  _id!: string;

  @ApiProperty({ description: 'Name; for a license, the name of its project', example: 'Acme Ltd' })
  title!: string;

  @ApiProperty({
    description:
      'Client: email address. Project: client. Plan: its product. License: last four characters of the key, and client. ' +
      "Machine: last four characters of the license's key, " +
      'and project.',
    example: 'office@acme.example',
  })
  subtitle!: string;
}

export class FoundRecords {
  @ApiProperty({ type: [FoundDto], description: 'Up to five results of each kind, licenses first' })
  data!: FoundDto[];
}
