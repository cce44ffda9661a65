import {
  BadRequestException,
  ForbiddenException,
  InternalServerErrorException,
  NotFoundException,
  PayloadTooLargeException,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import { DomainError } from '../../shared/errors/domain-error.js';
import { rejectionOf } from './error.filter.js';

describe('rejectionOf', () => {
  it.each([
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
    Object.assign(new Error('E11000 duplicate key error'), { code: 11000 }),
    Object.assign(new Error('upstream failed'), { statusCode: 502 }),
    new InternalServerErrorException(),
    'a text',
    null,
  ])('treats %s as an unexpected failure', (failure) => {
    expect(rejectionOf(failure)).toBeUndefined();
  });
});
