/** What a template can contain, each between two pairs of braces. */
export const PLACEHOLDERS = ['client.name', 'license.key', 'license.term', 'project.name'] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

export type PlaceholderValues = Readonly<Record<Placeholder, string>>;

/** Stands for a license in test messages. */
export const SAMPLE_VALUES: PlaceholderValues = {
  'client.name': 'Sample Customer',
  'license.key': 'LIC-000000000000000000000000-XXXX-XXXX-XXXX',
  'license.term': '12 months from first use',
  'project.name': 'Sample Project',
};

const IN_BRACES = /\{\{([^{}]*)\}\}/g;

const isPlaceholder = (name: string): name is Placeholder =>
  (PLACEHOLDERS as readonly string[]).includes(name);

/** The names between pairs of braces in a text. */
export const namesIn = (text: string): string[] =>
  [...text.matchAll(IN_BRACES)].map(([, name]) => name!.trim());

/** The first name in a text that is no placeholder; undefined without one. */
export const unknownNameIn = (text: string): string | undefined =>
  namesIn(text).find((name) => !isPlaceholder(name));

/** Replaces every placeholder in one pass, so values that look like placeholders stay as they are. */
export const fillIn = (text: string, valueOf: (placeholder: Placeholder) => string): string =>
  text.replace(IN_BRACES, (whole, inside: string) => {
    const name = inside.trim();
    return isPlaceholder(name) ? valueOf(name) : whole;
  });
