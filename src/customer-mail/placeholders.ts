import type { Values } from '../mail/render.js';
import type { TemplateKind } from './mail-template.js';

/** The placeholders that a template can contain, each between two pairs of braces. */
export const PLACEHOLDERS = ['client.name', 'license.key', 'license.term', 'project.name'] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** The values of all placeholders. */
export type PlaceholderValues = Readonly<Record<Placeholder, Values[string]>>;

/** The sample values for a test of a template. */
export const sampleValues = (kind: TemplateKind): PlaceholderValues => ({
  'client.name': 'Sample Customer',
  'license.key': { as: 'key', text: 'LIC-000000000000000000000000-XXXX-XXXX-XXXX' },
  'license.term': kind === 'license_expiring' ? 'until 4 May 2027' : '12 months from first use',
  'project.name': 'Sample Project',
});

const IN_BRACES = /\{\{([^{}]*)\}\}/g;

/** The names between pairs of braces in a text. */
export const namesIn = (text: string): string[] =>
  [...text.matchAll(IN_BRACES)].map(([, name]) => name!.trim());

/** The first name in a text that is not a placeholder; undefined if there is none. */
export const unknownNameIn = (text: string): string | undefined =>
  namesIn(text).find((name) => !(PLACEHOLDERS as readonly string[]).includes(name));
