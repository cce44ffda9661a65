import { isFields } from '../../shared/fields/request.decorators.js';
import { readAs } from './text-file.js';

/** A record of JSON:API. */
export interface Resource {
  readonly type: string;
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<
    Record<string, { readonly data?: { readonly id: string } | null }>
  >;
}

interface Page {
  readonly data: readonly Resource[];
  readonly links?: Readonly<Record<string, unknown>>;
}

/** The path of a list, such as `/v1/subscriptions?page=1`, ends with the type of its records. */
const LISTED = /\/([a-z-]+)(?:\?|$)/;

/**
 * The records in files with pages of JSON:API, by type; a type may have no records. A file is one page or
 * an array of pages.
 */
export function readPages(files: readonly string[]): ReadonlyMap<string, readonly Resource[]> {
  const found = new Map<string, Resource[]>();
  const ofType = (type: string) => {
    const records = found.get(type) ?? [];
    found.set(type, records);
    return records;
  };
  for (const { data, links } of files.flatMap(parse)) {
    for (const one of data) ofType(one.type).push(one);
    const [, type] = LISTED.exec(String(links?.first ?? links?.self)) ?? [];
    if (data.length === 0 && type !== undefined) ofType(type);
  }
  return found;
}

const parse = (file: string): readonly Page[] =>
  readAs(file, 'have pages of JSON:API: { "data": [...] }', (text) => {
    const pages = [JSON.parse(text)].flat() as Page[];
    return pages.every(({ data }) => data.every(isResource)) ? pages : undefined;
  });

const isResource = (one: unknown) => isFields(one) && isFields(one.attributes);

export const related = ({ relationships }: Resource, name: string): string | undefined =>
  relationships?.[name]?.data?.id;
