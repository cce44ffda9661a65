import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsNotEmpty, IsString } from 'class-validator';
import { IsEmailAddress, IsText } from '../../../shared/fields/text.decorators.js';
import { RejectUnknownFields } from '../../../shared/fields/reject-unknown-fields.decorator.js';
import { MEMBER_ROLES, type MemberRole } from '../../access/roles.js';
import { ApiNewPassword, EMAIL, OWN_NAME } from '../../dto/credentials.dto.js';
import { IsNewPassword } from '../../passwords/new-password.js';

const IsMemberRole = () => IsIn(MEMBER_ROLES);
const ApiMemberRole = () =>
  ApiProperty({
    description: 'What the member may do',
    enum: MEMBER_ROLES,
    enumName: 'MemberRole',
    example: 'support',
  });

/** Body of POST /members. */
export class InviteMemberDto {
  @ApiProperty({ description: 'Of no login yet; stored in lower case', ...EMAIL })
  @IsEmailAddress()
  email!: string;

  @ApiMemberRole()
  @IsMemberRole()
  role!: MemberRole;
}

/** Body of PATCH /members/:id. */
@RejectUnknownFields()
export class UpdateMemberDto {
  @ApiMemberRole()
  @IsMemberRole()
  role!: MemberRole;
}

/** Body of POST /auth/invitations/accept. */
export class AcceptInvitationDto {
  @ApiProperty({
    description: 'The text of the invitation, as POST /members has shown it',
    minLength: 1,
    example: 'kZ0vKX3Yb0m4o6T2Qw8nHc5sJr1uLd9eAfGgBhViPxE',
  })
  @IsString()
  @IsNotEmpty()
  invitation!: string;

  @ApiProperty({ description: 'What to call you', ...OWN_NAME })
  @IsText(1, 200)
  name!: string;

  @ApiNewPassword()
  @IsNewPassword()
  password!: string;
}
