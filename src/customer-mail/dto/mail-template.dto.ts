import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, ValidateBy } from 'class-validator';
import { IsEmailAddress, IsLines, IsText } from '../../shared/fields/request.decorators.js';
import { IsOneOf } from '../../shared/fields/value.decorators.js';
import {
  DEFAULT_TEXTS,
  MAX_SUBJECT,
  MAX_TEXT,
  TEMPLATE_KINDS,
  type TemplateFields,
  type TemplateKind,
} from '../mail-template.js';
import { namesIn, PLACEHOLDERS, unknownNameIn } from '../placeholders.js';

const inBraces = (name: string) => `{{${name}}}`;
const CHOICES = PLACEHOLDERS.map(inBraces).join(', ');

/** Rejects a text with an unknown placeholder and names the placeholder. */
const HasKnownPlaceholders = () =>
  ValidateBy({
    name: 'hasKnownPlaceholders',
    validator: {
      validate: (value) => typeof value !== 'string' || unknownNameIn(value) === undefined,
      defaultMessage: (args) => {
        const name = inBraces(unknownNameIn(String(args!.value))!.slice(0, 50));
        return `${args!.property} has the unknown placeholder ${name}: use ${CHOICES}`;
      },
    },
  });

const HasNoKey = () =>
  ValidateBy(
    {
      name: 'hasNoKey',
      validator: {
        validate: (value) => typeof value !== 'string' || !namesIn(value).includes('license.key'),
      },
    },
    { message: '$property must not contain {{license.key}}, because lists and logs show subjects' },
  );

const OPTIONAL = { nullable: true, required: false } as const;

/** Body of PUT /mail-templates/:kind. */
export class PutMailTemplateDto {
  @ApiProperty({ description: 'Whether clients get this mail', example: true })
  @IsBoolean()
  enabled!: boolean;

  @IsText(1, MAX_SUBJECT, {
    ...OPTIONAL,
    description:
      'May contain every placeholder except `{{license.key}}`. Without it, the default applies.',
    example: DEFAULT_TEXTS.license_issued.subject,
  })
  @HasKnownPlaceholders()
  @HasNoKey()
  subject?: string | null;

  @IsLines(MAX_TEXT, {
    ...OPTIONAL,
    description: `Plain text. Placeholders: ${CHOICES}. Without it, the default applies.`,
    example: 'Hello {{client.name}},\n\nHere is your license key: {{license.key}}',
  })
  @HasKnownPlaceholders()
  text?: string | null;

  @IsEmailAddress({
    ...OPTIONAL,
    description: 'Where replies go; by default to the sender address of the service',
    example: 'support@acme.example',
  })
  replyTo?: string | null;
}

export class KindParam {
  @IsOneOf(TEMPLATE_KINDS, { enumName: 'MailTemplateKind', example: 'license_issued' })
  kind!: TemplateKind;
}

/** The fields of a template, with the default texts for fields that the request omits. */
export const toTemplateFields = (
  kind: TemplateKind,
  { enabled, subject, text, replyTo }: PutMailTemplateDto,
): TemplateFields => ({
  enabled,
  subject: subject ?? DEFAULT_TEXTS[kind].subject,
  text: text ?? DEFAULT_TEXTS[kind].text,
  replyTo: replyTo ?? null,
});
