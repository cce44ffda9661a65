import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import { memoizeByHandler } from '../../server/memoize-by-handler.js';
import { Public } from '../auth.decorators.js';

/** Rejects a request without a valid access token with a 401, unless its route is {@link Public}. */
@Injectable()
export class JwtAuthGuard extends AuthGuard('jwt') {
  private readonly isPublic = memoizeByHandler((context) =>
    this.reflector.getAllAndOverride(Public, [context.getHandler(), context.getClass()]),
  );

  constructor(private readonly reflector: Reflector) {
    super();
  }

  override canActivate(context: ExecutionContext): ReturnType<CanActivate['canActivate']> {
    return this.isPublic(context) || super.canActivate(context);
  }
}
