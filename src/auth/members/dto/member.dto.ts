import { ApiProperty, PickType } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { IsEmailAddress } from '../../../shared/fields/request.decorators.js';
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
import { EMAIL } from '../../dto/credentials.dto.js';

export class InviteMemberDto {
  @ApiProperty({ description: 'Of no login yet; stored in lower case', ...EMAIL })
  @IsEmailAddress()
  email!: string;

  @ApiProperty({
    description: 'What the member may do',
    enum: MEMBER_ROLES,
    enumName: 'MemberRole',
    example: 'support',
  })
  @IsIn(MEMBER_ROLES)
  role!: MemberRole;
}

export class UpdateMemberDto extends PickType(InviteMemberDto, ['role']) {}

export class MemberDto {
  @ApiObjectId('Object id: the same from the invitation on')
  _id!: string;

  @ApiProperty({ description: 'In lower case', example: 'grace@studio.example' })
  email!: string;

  @ApiNullableText('Null until the invitation is accepted', 'Grace Hopper')
  name!: string | null;

  @ApiProperty({
    description: 'What the member may do',
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

  @ApiTimestamp('When it was invited; from the acceptance on, the time of that')
  createdAt!: Date;

  @ApiTimestamp('When the invitation ends; null once it was accepted', { nullable: true })
  expiresAt!: Date | null;
}

export class MemberListResponse extends ListOf(MemberDto) {}

export class ChangedMember extends WithMessage('Member updated successfully') {
  @ApiProperty({ type: MemberDto })
  member!: MemberDto;
}

export class InvitedMemberResponse extends WithMessage('Member invited successfully') {
  @ApiProperty({ type: MemberDto })
  member!: MemberDto;

  @ApiNullableText(
    'A text that works once, within 7 days; shown this once, and null where a repeated request gets the first response',
    'kZ0vKX3Yb0m4o6T2Qw8nHc5sJr1uLd9eAfGgBhViPxE',
  )
  invitation!: string | null;
}

export class RemovedMember extends WithMessage('Member removed successfully') {
  @ApiProperty({
    type: [ApiKeyDto],
    description: 'The API keys that the member has created, which still work',
  })
  apiKeys!: ApiKeyDto[];

  @ApiProperty({
    type: [WebhookDto],
    description: 'The webhooks that the member created, which still work',
  })
  webhooks!: WebhookDto[];
}
