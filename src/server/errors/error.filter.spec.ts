import {
  BadRequestException,
  ForbiddenException,
  InternalServerErrorException,
  NotFoundException,
  PayloadTooLargeException,
  ServiceUnavailableException,
  UnauthorizedException,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import fastify, { type FastifyInstance } from 'fastify';
import { DomainError } from '../../shared/errors/domain-error.js';
import { rejectionOf } from './error.filter.js';

describe('rejectionOf', () => {
  it('returns a DomainError unchanged', () => {
    const rejection = new DomainError('CLIENT_EMAIL_TAKEN', { field: 'email' }, { retryAfter: 5 });
    expect(rejectionOf(rejection)).toBe(rejection);
    expect(rejection.message).toBe('Client with this email already exists');
  });

  it.each([
    [new UnauthorizedException(), 'UNAUTHORIZED'],
    [new NotFoundException('Cannot GET /nowhere'), 'ROUTE_NOT_FOUND'],
    [new BadRequestException(), 'BAD_REQUEST'],
    [new ForbiddenException(), 'BAD_REQUEST'],
    [new PayloadTooLargeException(), 'BODY_TOO_LARGE'],
    [new UnsupportedMediaTypeException(), 'UNSUPPORTED_MEDIA_TYPE'],
  ])('maps %s of Nest to a code of the table, without its text', (exception, code) => {
    expect(rejectionOf(exception)).toBeInstanceOf(DomainError);
    expect(rejectionOf(exception)).toMatchObject({ code, fields: {} });
  });

  it.each([
    new Error('connect ECONNREFUSED 10.0.0.5:27017'),
    new TypeError('undefined is not a function'),
    Object.assign(new Error('E11000 duplicate key error'), { code: 11000 }),
    Object.assign(new Error('database disk image is malformed'), { code: 'ERR_SQLITE_ERROR' }),
    Object.assign(new Error('upstream failed'), { statusCode: 502 }),
    new InternalServerErrorException(),
    new ServiceUnavailableException(),
    'a text',
    null,
    undefined,
  ])('treats %s as an unexpected failure', (failure) => {
    expect(rejectionOf(failure)).toBeUndefined();
  });

  describe("of Fastify's own rejections", () => {
    let server: FastifyInstance;
    const codeOf = async (headers: Record<string, string>, payload: string) =>
      (await server.inject({ method: 'POST', url: '/', headers, payload })).body;

    beforeAll(() => {
      server = fastify({ bodyLimit: 10 });
      server.post('/', () => 'ok');
      server.setErrorHandler((error, _request, reply) => {
        reply.send(rejectionOf(error)?.code ?? 'unexpected');
      });
    });
    afterAll(() => server.close());

    it.each([
      [{ 'content-type': 'application/json' }, '{"too":"long"}', 'BODY_TOO_LARGE'],
      [{ 'content-type': 'application/xml' }, '<a/>', 'UNSUPPORTED_MEDIA_TYPE'],
      [{ 'content-type': 'no media type' }, 'a', 'UNSUPPORTED_MEDIA_TYPE'],
      [{ 'content-type': 'application/json' }, '{', 'BAD_REQUEST'],
    ])('maps the rejection of %j with the body %j', async (headers, body, code) => {
      expect(await codeOf(headers, body)).toBe(code);
    });
  });
});
