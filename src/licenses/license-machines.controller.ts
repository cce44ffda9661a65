import { Controller, Delete, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Account } from '../auth/auth.decorators.js';
import { ApiErrors, Describe, Responds } from '../openapi/decorators/api-route.js';
import { IdParam } from '../shared/fields/object-id.decorator.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { MachineListResponse, MachineParams, toMachineDto } from './dto/machine.response.js';
import { LicensesService } from './licenses.service.js';

@ApiTags('licenses')
@Controller('licenses/:id/machines')
export class LicenseMachinesController {
  constructor(private readonly licenses: LicensesService) {}

  @Get()
  @Describe('List the machines that use a license', 'All of them, at most 1,000.')
  @Responds(200, 'The machines', MachineListResponse)
  @ApiErrors('LICENSE_NOT_FOUND')
  async listMachines(
    @Account() accountId: AccountId,
    @Param() { id }: IdParam,
  ): Promise<MachineListResponse> {
    const machines = await this.licenses.listMachines(id, accountId);
    return { data: machines.map(toMachineDto), nextCursor: null };
  }

  @Delete(':machineId')
  @Describe(
    'Release a machine',
    'Its place is free for another one: at once, but where it has a certificate that ends with its lease, at that end. Its ' +
      'certificates stay valid until they end, which the event `machine_released` names.',
  )
  @Responds(204, 'It is released')
  @ApiErrors('LICENSE_NOT_FOUND', 'MACHINE_NOT_FOUND')
  releaseMachineOfLicense(
    @Account() accountId: AccountId,
    @Param() { id, machineId }: MachineParams,
  ): Promise<void> {
    return this.licenses.releaseMachine(id, accountId, machineId);
  }
}
