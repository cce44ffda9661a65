import { DocumentBuilder } from '@nestjs/swagger';
import { VERSION } from '../shared/version.js';

/** The parts of the document that describe the service as a whole. */
export const DESCRIPTION = new DocumentBuilder()
  .setOpenAPIVersion('3.0.3')
  .setTitle('License Management Service')
  .setDescription(
    'Issues license keys for the projects of your clients, activates each key on one or more machines, and tells ' +
      'your software whether it may run.\n\n' +
      'Ids are 24 hexadecimal characters. Times are in ISO 8601 format, in UTC, with milliseconds. Lists return `{ data, nextCursor }`: to get the ' +
      'next page, send `nextCursor` as `cursor`, until it is null. Errors have a `message` for humans and a stable `code` for programs ' +
      '(see the `ErrorBody` schema). Names, email addresses and reasons are trimmed.\n\n' +
      'Unknown fields are rejected, except in requests of shipped software (tag activation), which ignore them. On a POST, an ' +
      'optional field may also be null.',
  )
  .setVersion(VERSION)
  .setLicense('MIT', 'https://opensource.org/license/mit')
  // Includes BASE_PATH, if it is set.
  .addServer('/', 'The service that serves this document')
  .addBearerAuth({
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The `accessToken` from POST /auth/login, valid for 15 minutes. If the operation has `x-required-scope`, also the secret of an ' +
      'API key with all of these scopes. Members need at least the role in `x-required-role`. From lowest to highest, the roles are ' +
      'viewer, support, admin and owner.',
  })
  .addTag('auth', 'Accounts and their sessions')
  .addTag('access', 'Members of your account, and API keys for programs')
  .addTag('clients', 'The organizations and people you sell to')
  .addTag('projects', 'The products and services you deliver, each with its licenses')
  .addTag('plans', 'What you sell: reusable terms for new licenses')
  .addTag('licenses', 'The licenses you have issued')
  .addTag('signing keys', 'The keys that sign your certificates')
  .addTag('search', 'Search across licenses, machines, clients, projects and plans')
  .addTag('events', 'What happened in your account, and who caused it')
  .addTag('mail', 'Email to your clients')
  .addTag('dashboard', 'Your clients, projects and licenses at a glance')
  .addTag('activation', 'For shipped software. The license key is the only credential.')
  .addTag(
    'portal',
    'The customer portal: your settings, and the routes that clients use on its host',
  )
  .addTag('console', 'Cookie sessions for the web console')
  .addTag('health', 'For load balancers and operators')
  .build();
