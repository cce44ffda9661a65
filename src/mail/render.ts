/** The content of a mail. The HTML is generated from the same text. */
export interface Content {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly replyTo: string | null;
}

/** A value that is shown unchanged: a license key, or an address to open. */
export interface Verbatim {
  readonly as: 'key' | 'link';
  readonly text: string;
}

/** The values of placeholders, by name. */
export type Values = Readonly<Record<string, string | Verbatim>>;

const PLACEHOLDER = /\{\{\s*([\w.]+)\s*\}\}/g;

/**
 * Fills in placeholders in one pass, so a value that looks like a placeholder stays text. A placeholder
 * without a value stays as written, because the caller has checked the names.
 */
export function render(subject: string, text: string, values: Values): Omit<Content, 'replyTo'> {
  const parts = partsOf(text, values);
  const paragraphs = parts
    .map(htmlOf)
    .join('')
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br>\n')}</p>`);
  return {
    subject: partsOf(subject, values).map(textOf).join('').replaceAll(/\s+/g, ' '),
    text: `${parts.map(textOf).join('')}\n`,
    html: `<!doctype html>\n<html><body>\n${paragraphs.join('\n')}\n</body></html>\n`,
  };
}

type Part = string | { readonly value: string | Verbatim };

const partsOf = (template: string, values: Values): Part[] =>
  template
    .replaceAll('\r\n', '\n')
    .trim()
    .split(PLACEHOLDER)
    .map((part, index) => {
      if (index % 2 === 0) return part;
      const value = values[part];
      return value === undefined ? `{{${part}}}` : { value };
    });

const textOf = (part: Part): string => {
  if (typeof part === 'string') return part;
  return typeof part.value === 'string' ? isolated(part.value) : part.value.text;
};

const htmlOf = (part: Part): string => {
  if (typeof part === 'string') return escaped(part);
  const { value } = part;
  if (typeof value === 'string') return escaped(isolated(value));
  const text = escaped(value.text);
  return value.as === 'link' ? `<a href="${text}">${text}</a>` : `<code>${text}</code>`;
};

/**
 * Joins two characters without a break. Mail programs do not turn a domain with this character into
 * a link.
 */
const WORD_JOINER = '\u2060';

/**
 * A value that cannot affect the text around it: on one line, isolated from the text direction (first
 * strong isolate), and without anything that a mail program would turn into a link.
 */
function isolated(value: string): string {
  const line = value
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '');
  return `\u2068${line.replaceAll(/(?<=\S)[.:/@](?=\S)/g, `$&${WORD_JOINER}`)}\u2069`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
};

const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (one) => ENTITIES[one]!);
