import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import { memoizeByHandler } from '../../server/memoize-by-handler.js';
import { Public } from '../auth.decorators.js';

/** Lets a request pass with a valid access token, or to what is marked as {@link Public}; else it is a 401. */
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
