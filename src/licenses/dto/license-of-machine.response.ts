import { ApiProperty } from '@nestjs/swagger';
import { MachineDto } from '../../machines/dto/machine.response.js';
import { ListOf } from '../../shared/pagination/page.query.js';
import { LicenseDto } from './license.response.js';

/** A seat that a machine holds, with its license. */
export class LicenseOfMachineDto extends MachineDto {
  @ApiProperty({ type: LicenseDto })
  license!: LicenseDto;
}

export class LicensesOfMachineResponse extends ListOf(LicenseOfMachineDto) {}
