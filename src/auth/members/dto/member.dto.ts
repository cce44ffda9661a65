import { ApiProperty, PickType } from '@nestjs/swagger';
import { IsEmailAddress } from '../../../shared/fields/request.decorators.js';
import { IsOneOf } from '../../../shared/fields/value.decorators.js';
import {
  ApiNullableText,
  ApiObjectId,
  ApiTimestamp,
  WithMessage,
} from '../../../shared/fields/response.decorators.js';
import { ListOf } from '../../../shared/pagination/page.query.js';
import { WebhookDto } from '../../../webhooks/dto/webhook.response.js';
import { MEMBER_ROLES, type MemberRole, type Role, ROLES } from '../../access/operations.js';
import { ApiKeyDto } from '../../api-keys/dto/api-key.dto.js';

export class InviteMemberDto {
  @IsEmailAddress({ description: 'Must not have a login yet; stored in lower case' })
  email!: string;

  @IsOneOf(MEMBER_ROLES, {
    description: 'What the member is allowed to do',
    enumName: 'MemberRole',
    example: 'support',
  })
  role!: MemberRole;
}

export class UpdateMemberDto extends PickType(InviteMemberDto, ['role']) {}

export class MemberDto {
  @ApiObjectId('Object id. It stays the same when the invitation is accepted.')
  _id!: string;

  @ApiProperty({ description: 'In lower case', example: 'grace@studio.example' })
  email!: string;

  @ApiNullableText('Null until the invitation is accepted', 'Grace Hopper')
  name!: string | null;

  @ApiProperty({
    description: 'What the member is allowed to do',
    enum: ROLES,
    enumName: 'Role',
    example: 'support',
  })
  role!: Role;

  @ApiProperty({
    enum: ['invited', 'active', 'disabled'],
    enumName: 'MemberStatus',
    example: 'active',
  })
  status!: 'invited' | 'active' | 'disabled';

  @ApiProperty({
    description:
      'True if the member can use a second factor. `PUT /account/policy` locks out members who cannot.',
    example: true,
  })
  secondFactor!: boolean;

  @ApiTimestamp('When the invitation was sent; once accepted, when it was accepted')
  createdAt!: Date;

  @ApiTimestamp('When the invitation expires; null once accepted', { nullable: true })
  expiresAt!: Date | null;
}

export class MemberListResponse extends ListOf(MemberDto) {}

export class ChangedMember extends WithMessage('Member updated', { member: MemberDto }) {}

export class InvitedMemberResponse extends WithMessage('Member invited', { member: MemberDto }) {
  @ApiProperty({
    description: 'Whether the invitation is mailed. If not, pass it on yourself.',
    example: false,
  })
  mailed!: boolean;

  @ApiNullableText(
    'Code that works once and expires after 7 days. Shown only once; null if the request is repeated with the same `Idempotency-Key`.',
    'kZ0vKX3Yb0m4o6T2Qw8nHc5sJr1uLd9eAfGgBhViPxE',
  )
  invitation!: string | null;
}

export class RemovedMember extends WithMessage('Member removed') {
  @ApiProperty({
    type: [ApiKeyDto],
    description: 'API keys created by this member; they keep working',
  })
  apiKeys!: ApiKeyDto[];

  @ApiProperty({
    type: [WebhookDto],
    description: 'Webhooks created by this member; they keep working',
  })
  webhooks!: WebhookDto[];
}
