import { Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Account } from '../auth/auth.decorators.js';
import { LicensesOfMachineQuery, MachineListQuery } from '../machines/dto/machine.query.js';
import {
  MachineListResponse,
  MachineParams,
  toMachineDto,
} from '../machines/dto/machine.response.js';
import { RECORD_ID_PATTERN } from '../machines/machine.js';
import { MachineIdProvider } from '../machines/machine-id.provider.js';
import { ApiErrors, Describe, Responds } from '../openapi/decorators/api-route.js';
import { validationError } from '../shared/errors/validation-error.js';
import { IdParam } from '../shared/fields/request.decorators.js';
import type { AccountId } from '../shared/ids.js';
import { toListResponse, toPageRequest } from '../shared/pagination/page.query.js';
import { LicensesOfMachineResponse } from './dto/license.response.js';
import { LicensePresenter } from './license.presenter.js';
import { LicenseMachines } from './license-machines.service.js';

@ApiTags('licenses')
@Controller()
export class LicenseMachinesController {
  constructor(
    private readonly machines: LicenseMachines,
    private readonly machineIds: MachineIdProvider,
    private readonly presenter: LicensePresenter,
  ) {}

  @Get('licenses/:id/machines')
  @Describe(
    'List the machines of a license',
    'Lists the machines that hold a seat. Machines whose lease has expired are not listed. Paginated, newest first.',
  )
  @Responds(200, 'A page of machines', MachineListResponse)
  @ApiErrors('LICENSE_NOT_FOUND')
  async listMachines(
    @Account() accountId: AccountId,
    @Param() { id }: IdParam,
    @Query() query: MachineListQuery,
  ): Promise<MachineListResponse> {
    const list = `machines-${id}`;
    const request = toPageRequest(query, list, { ids: RECORD_ID_PATTERN });
    const page = await this.machines.list(id, accountId, query.search, request);
    return toListResponse(page, list, toMachineDto);
  }

  @Get('machines')
  @Describe(
    'List the licenses of a machine',
    'Identify the machine by the `machineId` shown in licenses and events, or by the `fingerprint` that your software sends plus the ' +
      '`projectId`. A machine has a different hash in every project, so you get the licenses of one project. A page can be shorter ' +
      'than `limit` even though more follow: request pages until `nextCursor` is null.',
  )
  @Responds(
    200,
    'A page of the seats that the machine holds, newest first',
    LicensesOfMachineResponse,
  )
  async listLicensesOfMachine(
    @Account() accountId: AccountId,
    @Query() { machineId, fingerprint, projectId, ...query }: LicensesOfMachineQuery,
  ): Promise<LicensesOfMachineResponse> {
    const hash =
      machineId ??
      (fingerprint !== undefined && projectId !== undefined
        ? this.machineIds.machineIdFor(projectId, fingerprint)
        : undefined);
    if (hash === undefined) {
      throw validationError({ machineId: ['send machineId, or fingerprint with projectId'] });
    }
    const list = `licenses-of-${hash}`;
    const request = toPageRequest(query, list, { ids: RECORD_ID_PATTERN });
    const page = await this.machines.listLicensesOf(accountId, hash, request);
    const presented = await this.presenter.presentAll(page.data.map(({ license }) => license));
    const data = page.data.map(({ machine }, index) => ({
      ...toMachineDto(machine),
      license: presented[index]!,
    }));
    return toListResponse({ ...page, data }, list, (seat) => seat);
  }

  @Delete('licenses/:id/machines/:machineId')
  @Describe(
    'Release a machine',
    'Frees the seat immediately. If the machine has a certificate that expires with its lease, frees it when the lease expires. Certificates of the machine stay valid until they expire. The `machine_released` event shows when.',
  )
  @Responds(204, 'Machine released')
  @ApiErrors('LICENSE_NOT_FOUND', 'MACHINE_NOT_FOUND')
  releaseMachineOfLicense(
    @Account() accountId: AccountId,
    @Param() { id, machineId }: MachineParams,
  ): Promise<void> {
    return this.machines.release(id, accountId, machineId);
  }
}
