interface PublicKey {
  readonly x: string;
}

/** What differs between the programs of two products. */
export interface Values {
  /** The address of the service. */
  readonly service: string;
  readonly issuer: string;
  readonly current: PublicKey;
  readonly next: PublicKey;
  readonly product: string;
  /** An absolute path, where the program stores its license. */
  readonly folder: string;
}

/** The first licensed program in a language. */
export interface Program {
  readonly file: string;
  /** How its SDK is installed, in words, and what is entered. */
  readonly install: { readonly details: string; readonly lines: readonly string[] };
  /** The program of the SDK's README. */
  readonly source: string;
  /** What takes the place of parts of the source. */
  readonly fill: (values: Values) => readonly (readonly [part: string, text: string])[];
}

/** A program with its values in place. A value that looks like a part of the source stays as it is. */
export function filled({ source, fill }: Program, values: Values): string {
  const texts = new Map(fill(values));
  const parts = [...texts.keys()].map((part) => part.replace(/[^\w\s]/g, '\\$&'));
  return source.replace(new RegExp(parts.join('|'), 'g'), (part) => texts.get(part) ?? part);
}

/** A literal of a text: the languages agree on it for what services, products and keys consist of. */
export const literal = (text: string): string => JSON.stringify(text);

/** The parts that several programs have in the same form. */
export const common = ({ service, product, folder }: Values) =>
  [
    ['"https://licenses.example"', literal(service)],
    ['"com.example.web-shop"', literal(product)],
    ['"/var/lib/web-shop"', literal(folder)],
  ] as const;

/** The parts of a program in whose texts the issuer and `x` of both keys are pasted. */
export const pasted = (values: Values) =>
  [
    ...common(values),
    ['"ISSUER"', literal(values.issuer)],
    ['CURRENT', values.current.x],
    ['NEXT', values.next.x],
  ] as const;

/** The keys as the response of the service has them. */
export const asJson = ({ issuer, current, next }: Values): string =>
  JSON.stringify({ issuer, current, next }, null, 2);
