import { CreateClientDto } from '../../clients/dto/client.dto.js';
import { CreateProjectDto } from '../../projects/dto/project.dto.js';
import type { DomainError } from './domain-error.js';
import { DtoValidationPipe } from '../../server/validation/validation.pipe.js';

const CLIENT = { name: 'Acme', email: 'office@acme.test' };
const PROJECT = {
  clientId: '665f1c2ab7e4a90012345678',
  projectName: 'Web shop',
  duration: 6,
  services: ['Hosting'],
};

async function rejectionOf(metatype: new () => object, value: object): Promise<DomainError> {
  const response = new DtoValidationPipe().transform(value, { type: 'body', metatype });
  return response.then(
    () => Promise.reject(new Error('accepted')),
    (error: unknown) => error as DomainError,
  );
}

describe('the rejection of a body', () => {
  it.each([
    ['CLIENT_NAME_REQUIRED', {}],
    ['CLIENT_NAME_REQUIRED', { email: 'wrong' }],
    ['CLIENT_EMAIL_REQUIRED', { name: 'Acme' }],
    ['CLIENT_EMAIL_REQUIRED', { name: 5 }],
    ['VALIDATION_ERROR', { name: 5, email: 'wrong' }],
    ['VALIDATION_ERROR', { ...CLIENT, email: 'wrong' }],
  ])("follows the specification's order for a client: %s for %j", async (code, value) => {
    expect(await rejectionOf(CreateClientDto, value)).toMatchObject({ code });
  });

  it.each([
    ['CLIENT_ID_AND_PROJECT_NAME_REQUIRED', {}],
    ['CLIENT_ID_AND_PROJECT_NAME_REQUIRED', { ...PROJECT, clientId: undefined, duration: 0 }],
    ['CLIENT_ID_AND_PROJECT_NAME_REQUIRED', { ...PROJECT, projectName: '', services: [] }],
    ['CLIENT_ID_AND_PROJECT_NAME_REQUIRED', { ...PROJECT, clientId: 'x', projectName: ' ' }],
    ['INVALID_DURATION', { clientId: 'x', projectName: 'y' }],
    ['INVALID_DURATION', { ...PROJECT, duration: 13, services: [] }],
    ['INVALID_DURATION', { ...PROJECT, clientId: 'x', duration: '6' }],
    ['SERVICES_REQUIRED', { clientId: 'x', projectName: 'y', duration: 6 }],
    ['SERVICES_REQUIRED', { ...PROJECT, projectName: 5, services: [] }],
    ['VALIDATION_ERROR', { ...PROJECT, clientId: 'x', services: ['Mail'] }],
  ])("follows the specification's order for a project: %s for %j", async (code, value) => {
    expect(await rejectionOf(CreateProjectDto, value)).toMatchObject({ code });
  });

  it.each([undefined, null, '', ' ', '\t\n', '\u00a0'])('treats %j as missing', async (missing) => {
    const client = { metatype: CreateClientDto, valid: CLIENT };
    const project = { metatype: CreateProjectDto, valid: PROJECT };
    for (const [{ metatype, valid }, field, code] of [
      [client, 'name', 'CLIENT_NAME_REQUIRED'],
      [client, 'email', 'CLIENT_EMAIL_REQUIRED'],
      [project, 'clientId', 'CLIENT_ID_AND_PROJECT_NAME_REQUIRED'],
      [project, 'projectName', 'CLIENT_ID_AND_PROJECT_NAME_REQUIRED'],
      [project, 'services', 'SERVICES_REQUIRED'],
    ] as const) {
      expect(await rejectionOf(metatype, { ...valid, [field]: missing })).toMatchObject({ code });
    }
  });

  it.each([0, false, {}, ['Acme']])('treats %j as invalid, not as missing', async (wrong) => {
    const { code, fields } = await rejectionOf(CreateClientDto, { ...CLIENT, name: wrong });
    expect(code).toBe('VALIDATION_ERROR');
    expect(Object.keys(fields.errors as object)).toEqual(['name']);
  });

  it('lists the reasons of a validation error by field, and all of them in one sentence', async () => {
    const { fields } = await rejectionOf(CreateProjectDto, {
      ...PROJECT,
      clientId: 'x',
      services: ['Mail'],
    });
    expect(fields).toEqual({
      errors: {
        clientId: ['clientId must be an object id of 24 hexadecimal characters'],
        services: ['each value in services must be one of the following values: Hosting, Domain'],
      },
      details:
        'clientId must be an object id of 24 hexadecimal characters; ' +
        'each value in services must be one of the following values: Hosting, Domain.',
    });
  });
});
