import { LicenseKeyDto } from '../../activation/dto/license-key.dto.js';
import { CreateApiKeyDto } from '../../auth/api-keys/dto/api-key.dto.js';
import { CreateClientDto } from '../../clients/dto/client.dto.js';
import { CreateProjectDto } from '../../projects/dto/project.dto.js';
import type { Config } from '../../shared/config/config.js';
import { IdParam } from '../../shared/fields/request.decorators.js';
import { PageQuery } from '../../shared/pagination/page.query.js';
import { DtoValidationPipe } from './validation.pipe.js';

const CLIENT = { name: 'Acme', email: 'office@acme.test' };
const API_KEY = { name: 'Checkout', scopes: ['licenses:read'] };
const PROJECT = {
  clientId: '665f1c2ab7e4a90012345678',
  projectName: 'Web shop',
  duration: 6,
  services: ['Hosting'],
};

const pipe = new DtoValidationPipe({ services: ['Hosting', 'Domain'] } as unknown as Config);
const body = async (value: unknown, metatype: new () => object = LicenseKeyDto) =>
  (await pipe.transform(value, { type: 'body', metatype })) as object;
const query = (value: unknown) => pipe.transform(value, { type: 'query', metatype: PageQuery });
const params = (id: string) => pipe.transform({ id }, { type: 'param', metatype: IdParam });

describe('DtoValidationPipe', () => {
  it.each([[[{ key: 'LIC-1' }]], [''], [0], [false]])(
    'rejects the body %j, which is not an object',
    async (value) => {
      await expect(body(value)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        fields: { errors: { body: ['body must be a JSON object'] } },
      });
    },
  );

  it.each([undefined, null, {}])('treats the body %j as having no fields', async (value) => {
    await expect(body(value)).rejects.toMatchObject({ code: 'LICENSE_KEY_REQUIRED' });
  });

  const INHERITED = ['constructor', 'toString', 'hasOwnProperty', '__proto__', '__defineGetter__'];
  /** An object with an own field of this name, even a special one. */
  const withField = (name: string, fields: object): object =>
    Object.fromEntries([...Object.entries(fields), [name, 'x']]);

  // Other undeclared names are covered in test/e2e/security.
  it.each(['toPageRequest', ...INHERITED])(
    'rejects the name %s in a query and in a body',
    async (name) => {
      const reason = `${name} is not a field here`;
      const rejection = {
        code: 'VALIDATION_ERROR',
        fields: { errors: { [name]: [reason] }, details: `${reason}.` },
      };
      await expect(query(withField(name, { limit: '5' }))).rejects.toMatchObject(rejection);
      await expect(body(withField(name, CLIENT), CreateClientDto)).rejects.toMatchObject(rejection);
    },
  );

  it.each([
    ['expires', CreateApiKeyDto, API_KEY, 'expiresAt'],
    ['Expires_At', CreateApiKeyDto, API_KEY, 'expiresAt'],
    ['maxmachines', CreateProjectDto, PROJECT, 'maxMachines'],
    ['external_id', CreateProjectDto, PROJECT, 'externalId'],
    ['Product', CreateProjectDto, PROJECT, 'product'],
    ['emial', CreateClientDto, CLIENT, 'email'],
    ['e', CreateClientDto, CLIENT, undefined],
    ['phone', CreateClientDto, CLIENT, undefined],
  ] as const)('names the field that %s was meant to be', async (name, metatype, fields, meant) => {
    const reason = `${name} is not a field here${meant ? ` (did you mean ${meant}?)` : ''}`;
    await expect(body({ ...fields, [name]: 1 }, metatype)).rejects.toMatchObject({
      fields: { errors: { [name]: [reason] }, details: `${reason}.` },
    });
  });

  it('names it even if a required field is missing because of that', async () => {
    const { name, email } = CLIENT;
    await expect(body({ name, emial: email }, CreateClientDto)).rejects.toMatchObject({
      code: 'CLIENT_EMAIL_REQUIRED',
      fields: { details: 'emial is not a field here (did you mean email?).' },
    });
  });

  it('accepts an object id in either case, and converts it to lower case', async () => {
    expect({ ...((await params(PROJECT.clientId.toUpperCase())) as IdParam) }).toEqual({
      id: PROJECT.clientId,
    });
    const code = 'VALIDATION_ERROR';
    for (const id of ['', PROJECT.clientId.slice(1), `${PROJECT.clientId}0`, 'g'.repeat(24)]) {
      await expect(params(id)).rejects.toMatchObject({ code });
    }
  });
});

describe('the rejection of a body', () => {
  it.each([undefined, null, ' ', '\t\n', '\u00a0'])('treats %j as missing', async (missing) => {
    for (const [metatype, valid, field, code] of [
      [CreateClientDto, CLIENT, 'name', 'CLIENT_NAME_REQUIRED'],
      [CreateClientDto, CLIENT, 'email', 'CLIENT_EMAIL_REQUIRED'],
      [CreateProjectDto, PROJECT, 'clientId', 'CLIENT_ID_AND_PROJECT_NAME_REQUIRED'],
      [CreateProjectDto, PROJECT, 'projectName', 'CLIENT_ID_AND_PROJECT_NAME_REQUIRED'],
      [CreateProjectDto, PROJECT, 'services', 'SERVICES_REQUIRED'],
    ] as const) {
      const rejected = body({ ...valid, [field]: missing }, metatype);
      await expect(rejected).rejects.toMatchObject({ code });
    }
  });

  it('lists the reasons by field, and all of them in one sentence', async () => {
    const wrong = { ...PROJECT, clientId: 'x', services: ['Mail'] };
    const reasons = {
      clientId: 'clientId must be an object id of 24 hexadecimal characters',
      services: 'each value in services must be one of the following values: Hosting, Domain',
    };
    await expect(body(wrong, CreateProjectDto)).rejects.toMatchObject({
      fields: {
        errors: { clientId: [reasons.clientId], services: [reasons.services] },
        details: `${reasons.clientId}; ${reasons.services}.`,
      },
    });
  });
});

describe('CreateProjectDto', () => {
  /** The validated body with one field replaced by this JSON text. */
  const read = (field: string, json: string) =>
    body({ ...PROJECT, [field]: JSON.parse(json) as unknown }, CreateProjectDto);

  it.each('"6" 6.5 0 -0 -1 13 1e400 0.9999999999999999 12.000000000000002 true [6] {}'.split(' '))(
    'rejects the duration %s',
    async (duration) => {
      await expect(read('duration', duration)).rejects.toMatchObject({ code: 'INVALID_DURATION' });
    },
  );

  it.each(['"Hosting"', '["hosting"]', '[null]', '{"0":"Hosting","length":1}', '5'])(
    'rejects the services %s',
    async (services) => {
      const errors = { services: expect.any(Array) as unknown };
      await expect(read('services', services)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        fields: { errors },
      });
    },
  );
});
