import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Describe, Responds } from '../../openapi/decorators/api-route.js';
import type { AccountId } from '../../shared/ids.js';
import { Account, CurrentUser } from '../auth.decorators.js';
import { AccountPolicyDto } from '../factors/dto/factor.dto.js';
import type { UserPrincipal } from '../principal.js';
import { AccountPolicy } from './account-policy.service.js';

@ApiTags('access')
@Controller('account/policy')
export class AccountPolicyController {
  constructor(private readonly policy: AccountPolicy) {}

  @Get()
  @Describe('Get the policy of your account', 'What the account requires of its members.')
  @Responds(200, 'The policy', AccountPolicyDto)
  async getAccountPolicy(@Account() accountId: AccountId): Promise<AccountPolicyDto> {
    return { mfa: await this.policy.get(accountId) };
  }

  @Put()
  @Describe(
    'Change the policy of your account',
    'If the policy is `required`, a member without a second factor can only set one up. The owner must have one ' +
      'first. API keys are not affected.',
  )
  @Responds(200, 'The policy', AccountPolicyDto)
  async updateAccountPolicy(
    @CurrentUser() owner: UserPrincipal,
    @Body() { mfa }: AccountPolicyDto,
  ): Promise<AccountPolicyDto> {
    await this.policy.set(mfa, owner);
    return { mfa };
  }
}
