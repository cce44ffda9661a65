import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { IsSearch } from '../../shared/fields/request.decorators.js';
import { CountedPageQuery } from '../../shared/pagination/page.query.js';
import { BINNED_KINDS, type BinnedKind } from '../binned.js';

export class BinListQuery extends CountedPageQuery {
  @ApiPropertyOptional({ description: 'Only records of this kind', enum: BINNED_KINDS })
  @IsOptional()
  @IsIn(BINNED_KINDS)
  kind?: BinnedKind;

  @IsSearch(
    'Only records whose name, or email address of a client, contains this (case and accents are ignored)',
    'acme',
  )
  search?: string;
}
