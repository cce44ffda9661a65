import { LicenseKeyDto } from '../../activation/dto/license-key.dto.js';
import { CreateClientDto } from '../../clients/dto/client.dto.js';
import { RevokeLicenseDto } from '../../licenses/dto/license-changes.dto.js';
import { CreateProjectDto } from '../../projects/dto/project.dto.js';
import { DomainError } from '../errors/domain-error.js';
import { IdParam } from './object-id.decorator.js';
import { DtoValidationPipe } from '../../server/validation/validation.pipe.js';

const ID = '665f1c2ab7e4a90012345678';
const VALID = [
  ['body', CreateClientDto, { name: 'Acme', email: 'office@acme.test' }],
  [
    'body',
    CreateProjectDto,
    { clientId: ID, projectName: 'Shop', duration: 6, services: ['Domain'] },
  ],
  ['body', LicenseKeyDto, { key: 'LIC-1', fingerprint: 'a-machine-of-16-characters' }],
  ['body', RevokeLicenseDto, { reason: 'Contract ended' }],
  ['param', IdParam, { id: ID }],
] as const;

const FIELDS = VALID.flatMap(([type, metatype, valid]) =>
  Object.keys(valid).map((field) => [metatype.name, field, type, metatype, valid] as const),
);
const TEXTS = FIELDS.filter(([, field]) =>
  ['name', 'email', 'projectName', 'fingerprint', 'reason'].includes(field),
);

/** The outcome of input with another value in one field: `accepted`, `rejected` or an unexpected failure. */
async function outcomeOf(
  [, field, type, metatype, valid]: (typeof FIELDS)[number],
  value: unknown,
) {
  try {
    await new DtoValidationPipe().transform({ ...valid, [field]: value }, { type, metatype });
    return 'accepted';
  } catch (error) {
    return error instanceof DomainError ? 'rejected' : `failed: ${String(error)}`;
  }
}

const outcomesOf = (field: (typeof FIELDS)[number], values: unknown[]) =>
  Promise.all(values.map(async (value) => [value, await outcomeOf(field, value)]));
const rejectionsOf = (values: unknown[]) => values.map((value) => [value, 'rejected']);

describe('hostile values', () => {
  it.each(VALID)('are compared with a %s of %p that is accepted', async (type, metatype, valid) => {
    const dto = new DtoValidationPipe().transform({ ...valid }, { type, metatype });
    await expect(dto).resolves.toBeInstanceOf(metatype);
  });

  it.each(FIELDS)('%s.%s accepts no operator and no structure', async (...field) => {
    const operators: unknown[] = [
      ...['$ne', '$gt', '$gte', '$in', '$nin', '$regex', '$where', '$exists', '$not', '$expr'].map(
        (operator) => ({ [operator]: '' }),
      ),
      { $ne: null },
      { $in: [ID, 'Hosting', 6] },
      { $gt: { $ne: null } },
      {},
      { toString: 'Acme', length: 20 },
      [{ $ne: null }],
      [['Hosting']],
      [[[]]],
    ];
    expect(await outcomesOf(field, operators)).toEqual(rejectionsOf(operators));
  });

  it.each(TEXTS)('%s.%s accepts only strings', async (...field) => {
    const values = [5, 0, true, false, ['a-string-of-16-characters'], ['a@b.test']];
    expect(await outcomesOf(field, values)).toEqual(rejectionsOf(values));
  });

  it.each(TEXTS)('%s.%s accepts no control character and no lone surrogate', async (...field) => {
    const inserts = [
      '\0',
      '\u0001',
      '\t',
      '\n',
      '\r',
      '\u001b',
      '\u007f',
      '\u0085',
      '\ud800',
      '\udc00',
    ];
    const values = inserts.flatMap((insert) => [
      `a-text-with-${insert}-in-it`,
      `local${insert}part@acme.test`,
      `"quoted${insert}part"@acme.test`,
      `local@ac${insert}me.test`,
    ]);
    expect(await outcomesOf(field, values)).toEqual(rejectionsOf(values));
  });
});
