import { ApiProperty } from '@nestjs/swagger';
import { IdParam } from '../../shared/fields/request.decorators.js';
import { IsLike } from '../../shared/fields/value.decorators.js';
import { ApiNullableText, ApiTimestamp, toDto } from '../../shared/fields/response.decorators.js';
import { CountedListOf } from '../../shared/pagination/page.query.js';
import type { Machine } from '../machine.js';

/** A machine's hash in a request. */
export const IsMachineId = (description: string, required = true) =>
  IsLike(/^[0-9a-f]{64}$/, '64 lowercase hexadecimal digits', { description, required });

/** A license and one of its machines, in a path. */
export class MachineParams extends IdParam {
  @IsMachineId('Hash of the machine')
  machineId!: string;
}

export class MachineDto {
  @ApiProperty({
    description: 'Hash of the machine',
    example: '3f0a6c2de1b94857a6b0c1d2e3f405162738495a6b7c8d9e0f1a2b3c4d5e6f70',
  })
  machineId!: string;

  @ApiNullableText('The machine name sent by your software', 'Office 2, drawing board')
  name!: string | null;

  @ApiTimestamp('When the machine took its seat')
  activatedAt!: Date;

  @ApiTimestamp('Start of the day (UTC) on which the machine was last seen', {
    example: '2026-01-31T00:00:00.000Z',
  })
  lastSeenAt!: Date;

  @ApiTimestamp(
    'When the lease expires if there is no further heartbeat; null if the machine holds the seat until it is released',
    {
      nullable: true,
    },
  )
  leaseEndsAt!: Date | null;
}

export class MachineListResponse extends CountedListOf(MachineDto) {}

export const toMachineDto: (machine: Machine) => MachineDto = toDto(MachineDto);
