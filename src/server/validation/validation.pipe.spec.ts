import { LicenseKeyDto } from '../../activation/dto/license-key.dto.js';
import { CreateClientDto, UpdateClientDto } from '../../clients/dto/client.dto.js';
import { UpdateProjectDto } from '../../projects/dto/project.dto.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import { IdParam } from '../../shared/fields/object-id.decorator.js';
import { readJsonBody, UnreadableBody } from '../json-body.js';
import { PageQuery } from '../../shared/pagination/page.query.js';
import { DtoValidationPipe } from './validation.pipe.js';

const pipe = new DtoValidationPipe();
const body = (value: unknown, metatype: new () => object = LicenseKeyDto) =>
  pipe.transform(value, { type: 'body', metatype });
const query = (value: unknown) => pipe.transform(value, { type: 'query', metatype: PageQuery });
const params = (id: string) => pipe.transform({ id }, { type: 'param', metatype: IdParam });

describe('DtoValidationPipe', () => {
  it.each([[[]], [[{ key: 'LIC-1' }]], ['text'], [''], [5], [0], [true], [false]])(
    'rejects the body %j, which is not an object',
    async (value) => {
      await expect(body(value)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        fields: { errors: { body: ['body must be a JSON object'] } },
      });
    },
  );

  it.each([undefined, null, {}])('treats the body %j as one without fields', async (value) => {
    await expect(body(value)).rejects.toMatchObject({ code: 'LICENSE_KEY_REQUIRED' });
  });

  it.each(['MALFORMED_JSON', 'BODY_TOO_DEEP'] as const)(
    'rejects an unreadable body with its own code: %s',
    async (code) => {
      const unreadable = new UnreadableBody(new DomainError(code));
      await expect(body(unreadable)).rejects.toMatchObject({ code });
    },
  );

  it('drops undeclared fields of a body', async () => {
    const owner = { owner: 'f'.repeat(24), _id: 'f'.repeat(24), createdAt: 0, status: 'ACTIVE' };
    const client = { name: 'Acme', email: 'office@acme.test' };
    const dto = await body({ ...client, ...owner, nested: { name: 'x' } }, CreateClientDto);
    expect(dto).toBeInstanceOf(CreateClientDto);
    expect({ ...(dto as object) }).toEqual(client);
  });

  it.each([
    '{"key":"LIC-1","constructor":1}',
    '{"key":"LIC-1","a":{"constructor":1}}',
    '{"key":"LIC-1","a":{"b":[{"constructor":{"c":1}}]}}',
    '{"key":"LIC-1","toString":1,"valueOf":2,"hasOwnProperty":3,"then":4,"toJSON":5}',
    '{"key":"LIC-1","a":{"toString":1,"then":2,"length":-1}}',
  ])('is not disturbed by fields with the names of built-in ones: %s', async (text) => {
    const dto = await body(readJsonBody(Buffer.from(text)));
    expect({ ...(dto as object) }).toEqual({ key: 'LIC-1' });
  });

  const INHERITED = [
    'constructor',
    'toString',
    'valueOf',
    'hasOwnProperty',
    'isPrototypeOf',
    '__proto__',
    '__defineGetter__',
  ];
  const rejecting = (name: string) => ({
    code: 'VALIDATION_ERROR',
    fields: {
      errors: { [name]: [`property ${name} should not exist`] },
      details: `property ${name} should not exist.`,
    },
  });
  /** An object that has a field of this name of its own, whatever the name is. */
  const withField = (name: string, fields: object = {}): object =>
    Object.fromEntries([...Object.entries(fields), [name, 'x']]);

  it.each(['limt', 'owner', 'toPageRequest', ...INHERITED])(
    'rejects a query parameter with the name %s',
    async (name) => {
      await expect(query(withField(name))).rejects.toMatchObject(rejecting(name));
      await expect(query(withField(name, { limit: '5' }))).rejects.toMatchObject(rejecting(name));
    },
  );

  describe.each([UpdateClientDto, UpdateProjectDto])('with a body of %p', (metatype) => {
    it.each(['nam', 'owner', '_id', 'createdAt', 'NAME', ...INHERITED])(
      'rejects a field with the name %s',
      async (name) => {
        for (const value of [withField(name), withField(name, { name: 'Acme' })]) {
          await expect(body(value, metatype)).rejects.toMatchObject(rejecting(name));
        }
      },
    );

    it('accepts declared fields, and none', async () => {
      expect({ ...((await body({ name: ' Acme ' }, metatype)) as object) }).toEqual({
        name: 'Acme',
      });
      expect({ ...((await body({}, metatype)) as object) }).toEqual({});
    });

    it.each([null, '', '  '])('requires the name if it is %j', async (name) => {
      await expect(body({ name }, metatype)).rejects.toMatchObject({
        code: expect.stringMatching(/_NAME_REQUIRED$/) as string,
      });
    });
  });

  it.each(INHERITED)(
    'drops a field with the name %s of a body that may have unknown fields',
    async (name) => {
      const dto = await body(withField(name, { key: 'LIC-1' }));
      expect(Object.keys(dto as object)).toEqual(['key']);
      expect(dto).toBeInstanceOf(LicenseKeyDto);
    },
  );

  it('accepts an object id in either case, and converts it to lower case', async () => {
    const { id } = (await params('665F1C2AB7E4A90012345678')) as IdParam;
    expect(id).toBe('665f1c2ab7e4a90012345678');
  });

  it.each(['', '665f1c2ab7e4a9001234567', '665f1c2ab7e4a900123456789', '665f1c2ab7e4a9001234567g'])(
    'rejects %j as an object id',
    async (id) => {
      await expect(params(id)).rejects.toMatchObject({
        fields: { errors: { id: ['id must be an object id of 24 hexadecimal characters'] } },
      });
    },
  );
});
