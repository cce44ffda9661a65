import { DtoValidationPipe } from '../../server/validation/validation.pipe.js';
import { readJsonBody } from '../../server/json-body.js';
import { CreateProjectDto } from './project.dto.js';

/** The validated body, with these texts in place of JSON values. */
const read = ({
  duration = '6',
  services = '["Hosting"]',
  clientId = '"665F1c2ab7e4a90012345678"',
}) =>
  new DtoValidationPipe().transform(
    readJsonBody(
      Buffer.from(
        `{"clientId":${clientId},"projectName":" Shop ","duration":${duration},"services":${services}}`,
      ),
    ),
    { type: 'body', metatype: CreateProjectDto },
  ) as Promise<CreateProjectDto>;

describe('CreateProjectDto', () => {
  it('converts the id to lower case and trims the name', async () => {
    expect({ ...(await read({})) }).toEqual({
      clientId: '665f1c2ab7e4a90012345678',
      projectName: 'Shop',
      duration: 6,
      services: ['Hosting'],
    });
  });

  it.each([
    ['1', 1],
    ['12', 12],
    ['6.0', 6],
    ['1e1', 10],
  ])('accepts the duration %s', async (duration, months) => {
    expect((await read({ duration })).duration).toBe(months);
  });

  it.each(
    '"6" "" 6.5 0 -0 -1 13 1e400 0.9999999999999999 12.000000000000002 null true [6] {} {"$gt":0}'.split(
      ' ',
    ),
  )('rejects the duration %s', async (duration) => {
    await expect(read({ duration })).rejects.toMatchObject({ code: 'INVALID_DURATION' });
  });

  it.each([
    ['["Domain"]', ['Domain']],
    ['["Hosting","Domain"]', ['Hosting', 'Domain']],
    ['["Domain","Hosting","Domain","Domain"]', ['Domain', 'Hosting']],
  ])('accepts the services %s, each once', async (services, folded) => {
    expect((await read({ services })).services).toEqual(folded);
  });

  it.each(['[]', 'null', '""'])(
    'requires a service, where the services are %s',
    async (services) => {
      await expect(read({ services })).rejects.toMatchObject({ code: 'SERVICES_REQUIRED' });
    },
  );

  it.each([
    { services: '"Hosting"' },
    { services: '["Mail"]' },
    { services: '["hosting"]' },
    { services: '["Hosting","Mail"]' },
    { services: '["Hosting",""]' },
    { services: '["Hosting",null]' },
    { services: '[null]' },
    { services: '[["Hosting"]]' },
    { services: '[{"$ne":null}]' },
    { services: '{"0":"Hosting","length":1}' },
    { services: '{"$in":["Hosting"]}' },
    { services: '5' },
    { services: 'true' },
    { clientId: '"665f1c2ab7e4a9001234567"' },
    { clientId: '"665f1c2ab7e4a9001234567g"' },
    { clientId: '" 665f1c2ab7e4a90012345678"' },
    { clientId: '5' },
  ])('rejects %j', async (field) => {
    const [name = ''] = Object.keys(field);
    await expect(read(field)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      fields: { errors: { [name]: expect.any(Array) as unknown } },
    });
  });
});
