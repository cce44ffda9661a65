import { DocumentBuilder } from '@nestjs/swagger';

/** The parts of the document that describe the service as a whole. */
export const DESCRIPTION = new DocumentBuilder()
  .setOpenAPIVersion('3.0.3')
  .setTitle('License Management Service')
  .setDescription(
    'Issues license keys for the projects of your clients, activates each on one machine or on several, and tells ' +
      'shipped software whether it may run.\n\n' +
      'Ids are 24 hexadecimal characters, times ISO 8601 in UTC with milliseconds. A list returns `{ data, nextCursor }`: request the next page with `cursor`, until ' +
      '`nextCursor` is null. Every error has a `message` for people and a stable `code` for programs: ' +
      'schema `ErrorBody`. Names, e-mail addresses and reasons are trimmed.\n\n' +
      'Unknown fields are rejected, except in what shipped software sends (tag activation), where they are ignored. On a POST, null ' +
      'in an optional field counts as left out.',
  )
  .setVersion('1.0.0')
  .setLicense('MIT', 'https://opensource.org/license/mit')
  .addServer('/', 'The service that this document comes from')
  .addBearerAuth({
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The `accessToken` of POST /auth/login, valid for 15 minutes; or the secret of an API key, where the operation has ' +
      '`x-required-scope`: all of these scopes are needed. Members need the role `x-required-role` or a higher one: viewer, ' +
      'support, admin, owner',
  })
  .addTag('auth', 'Accounts and their sessions')
  .addTag('access', 'Members of the account, and API keys for programs')
  .addTag('clients', 'The organizations and people you deliver to')
  .addTag('projects', 'What you deliver to them, each with its licenses')
  .addTag('plans', 'What you sell: the terms of licenses that are issued by a plan')
  .addTag('licenses', 'The licenses you have issued')
  .addTag('signing keys', 'The keys that sign your certificates')
  .addTag('search', 'One search for licenses, machines, clients and projects')
  .addTag('events', 'What happened in your account, and who caused it')
  .addTag('dashboard', 'Your clients, projects and licenses at a glance')
  .addTag('activation', 'For shipped software: no credentials but the license key')
  .addTag('console', 'The session of the web console, in a cookie')
  .addTag('health', 'For load balancers and operators')
  .build();
