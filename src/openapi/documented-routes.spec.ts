import { Controller, Delete, Get, Module, Patch, Post } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { Public } from '../auth/auth.decorators.js';
import { WithErrorShape } from '../server/errors/error-body.js';
import { ApiErrorBody, ApiErrors } from './decorators/api-route.js';
import { ErrorBody } from './decorators/error-body.response.js';
import { RateLimit } from '../server/rate-limit/route-limits.js';
import { type DocumentedRoute, documentedRoutes } from './documented-routes.js';

class OwnBody {}

@ApiErrors('LICENSE_NOT_FOUND')
@Controller('licenses/:id')
class LicensesController {
  @Get('/events/')
  @RateLimit('validation')
  @ApiErrors('VALIDATION_ERROR')
  @ApiErrors('IDEMPOTENCY_KEY_REUSED')
  listEvents() {
    return this.notARoute();
  }

  @Patch()
  changeLicense() {
    return this.notARoute();
  }

  @Get()
  getLicense() {
    return this.notARoute();
  }

  @Delete()
  @Public()
  @WithErrorShape({ always: { success: false } })
  @ApiErrorBody({ name: 'OwnBody', oneOf: [OwnBody] })
  deleteLicense() {
    return this.notARoute();
  }

  notARoute() {
    return {};
  }
}

@Public()
@Controller()
class RootController {
  @Post()
  @ApiErrors('TOO_MANY_REQUESTS')
  postRoot() {
    return {};
  }
}

@Module({ controllers: [LicensesController, RootController] })
class TwoControllers {}

describe('documentedRoutes', () => {
  let routes: ReadonlyMap<string, DocumentedRoute>;

  beforeAll(async () => {
    const module = await Test.createTestingModule({ imports: [TwoControllers] }).compile();
    routes = documentedRoutes(module.createNestApplication(new FastifyAdapter()));
  });

  it('finds every route of every controller, by the name of its method', () => {
    expect([...routes.keys()].sort()).toEqual([
      'changeLicense',
      'deleteLicense',
      'getLicense',
      'listEvents',
      'postRoot',
    ]);
  });

  it('collects the errors of every decorator, on the method and on the class', () => {
    const { errors } = routes.get('listEvents')!;
    expect([...errors].sort()).toEqual([
      'IDEMPOTENCY_KEY_REUSED',
      'LICENSE_NOT_FOUND',
      'VALIDATION_ERROR',
    ]);
    expect(routes.get('deleteLicense')!.errors).toEqual(['LICENSE_NOT_FOUND']);
  });

  it('marks the routes that need no token', () => {
    expect([...routes].map(([key, { isPublic }]) => [key, isPublic])).toEqual(
      expect.arrayContaining([
        ['listEvents', false],
        ['deleteLicense', true],
        ['postRoot', true],
      ]),
    );
  });

  it('marks a route as limited by its decorator, by a listed error, or as an authenticated write', () => {
    expect(
      [...routes]
        .filter(([, { isLimited }]) => isLimited)
        .map(([key]) => key)
        .sort(),
    ).toEqual(['changeLicense', 'listEvents', 'postRoot']);
  });

  it('reads the error shape and body of a route, or the general ones', () => {
    expect(routes.get('deleteLicense')).toMatchObject({
      errorShape: { always: { success: false } },
      errorBody: { name: 'OwnBody', oneOf: [OwnBody] },
    });
    expect(routes.get('postRoot')).toMatchObject({
      errorShape: {},
      errorBody: { name: 'ErrorBody', oneOf: [ErrorBody] },
    });
  });
});
