import { ApiProperty } from '@nestjs/swagger';
import { EventActor } from '../../events/dto/event.response.js';
import {
  ApiInteger,
  ApiObjectId,
  ApiTimestamp,
  toDto,
  WithMessage,
} from '../../shared/fields/response.decorators.js';
import { CountedListOf } from '../../shared/pagination/page.query.js';
import { addDays } from '../../shared/time/calendar.js';
import { BIN_DAYS, type Binned, BINNED_KINDS, type BinnedKind } from '../binned.js';

export class BinEntryDto {
  @ApiObjectId('Object id of the deleted record')
  _id!: string;

  @ApiProperty({ enum: BINNED_KINDS, enumName: 'BinnedKind', example: 'client' })
  kind!: BinnedKind;

  @ApiProperty({
    description: 'Name; for a license, the last four characters of its key',
    example: 'Acme',
  })
  name!: string;

  @ApiObjectId('The client of a project, or the project of a license', { nullable: true })
  parent!: string | null;

  @ApiObjectId(
    'The client that a project was deleted with; restoring the client restores the project',
    { nullable: true },
  )
  deletedWith!: string | null;

  @ApiInteger('Number of licenses of the project', { minimum: 0, example: 3 })
  licensesCount!: number;

  @ApiTimestamp('When it was deleted')
  deletedAt!: Date;

  @ApiTimestamp('When it is erased for good')
  erasedAt!: Date;

  @ApiProperty({ type: EventActor })
  deletedBy!: EventActor;
}

export class BinListResponse extends CountedListOf(BinEntryDto) {}

export class RestoredRecord extends WithMessage('Restored') {
  @ApiProperty({ enum: BINNED_KINDS, enumName: 'BinnedKind', example: 'client' })
  kind!: BinnedKind;

  @ApiObjectId('Object id of the record, the same as before')
  _id!: string;
}

const shown = toDto(BinEntryDto);

export const toBinEntryDto = (entry: Binned): BinEntryDto =>
  shown({ ...entry, erasedAt: addDays(entry.deletedAt, BIN_DAYS), deletedBy: entry.by });
