import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Length } from 'class-validator';
import { ApiErrors } from '../../openapi/decorators/api-route.js';
import { InWorkClass } from '../../http/route-config.js';
import { LoginLimitInterceptor } from '../../limits/login-limit.interceptor.js';
import { PASSWORD_MAX } from './password-policy.js';

/** A field with the password of an account. */
export const IsCurrentPassword = () =>
  applyDecorators(
    ApiProperty({
      description: 'Taken as it is, spaces included',
      example: 'seven quiet lanterns drift',
      format: 'password',
      minLength: 1,
      maxLength: PASSWORD_MAX,
    }),
    Length(1, PASSWORD_MAX),
  );

/** A route of a session that verifies the account's password. */
export const VerifiesPassword = () =>
  applyDecorators(
    InWorkClass('passwords'),
    UseInterceptors(LoginLimitInterceptor),
    ApiErrors('WRONG_PASSWORD', 'TOO_MANY_REQUESTS'),
  );
