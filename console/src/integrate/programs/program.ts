interface PublicKey {
  readonly x: string;
}

/** The values to fill into a program. */
export interface Values {
  /** The address of the service. */
  readonly service: string;
  readonly issuer: string;
  readonly current: PublicKey;
  readonly next: PublicKey;
  readonly product: string;
  /** The absolute path where the program stores its license. */
  readonly folder: string;
}

/** Lines to paste into one place: commands for a folder, or part of a file. */
export interface Block {
  readonly place: 'service' | 'app' | 'pom.xml' | 'Cargo.toml' | 'CMakeLists.txt';
  readonly lines: readonly string[];
}

/** The variables that name the folders of commands, and what each must be set to. */
const FOLDERS = {
  service: 'CHECKOUT:?Set CHECKOUT to the service repository',
  app: 'APP:?Set APP to the folder of your app',
} as const;

export const isForShell = (place: Block['place']): place is keyof typeof FOLDERS =>
  Object.hasOwn(FOLDERS, place);

/** A block to paste. Commands change to their folder first, so pasting them in the wrong place does no harm. */
export const pastedBlock = ({ place, lines }: Block): string =>
  isForShell(place) ? [`cd "\${${FOLDERS[place]}}"`, ...lines].join(' &&\n') : lines.join('\n');

/** The first licensed program in a language. */
export interface Program {
  readonly file: string;
  /** How to install the SDK: a description, and what to enter in each place. */
  readonly install: { readonly details: string; readonly blocks: readonly Block[] };
  /** The program of the SDK's README. */
  readonly source: string;
  /** Replacements for parts of the source. */
  readonly fill: (values: Values) => readonly (readonly [part: string, text: string])[];
}

/** A program with its values filled in. Values are not searched for further replacements. */
export function filled({ source, fill }: Program, values: Values): string {
  const texts = new Map(fill(values));
  const parts = [...texts.keys()].map((part) => part.replace(/[^\w\s]/g, '\\$&'));
  return source.replace(new RegExp(parts.join('|'), 'g'), (part) => texts.get(part) ?? part);
}

/** A string literal. In every language, its syntax is the same for the characters in services, products and keys. */
export const literal = (text: string): string => JSON.stringify(text);

/** The replacements that several programs share. */
export const common = ({ service, product, folder }: Values) =>
  [
    ['"https://licenses.example"', literal(service)],
    ['"com.example.web-shop"', literal(product)],
    ['"/var/lib/web-shop"', literal(folder)],
  ] as const;

/** The replacements for programs that contain the issuer and the `x` of both keys as text. */
export const pasted = (values: Values) =>
  [
    ...common(values),
    ['"ISSUER"', literal(values.issuer)],
    ['CURRENT', values.current.x],
    ['NEXT', values.next.x],
  ] as const;

/** The keys in the format of the API response. */
export const asJson = ({ issuer, current, next }: Values): string =>
  JSON.stringify({ issuer, current, next }, null, 2);
