import fs from 'node:fs';
import { CommandError } from '../command-error.js';

/** A record of JSON:API. */
export interface Resource {
  readonly type: string;
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<
    Record<string, { readonly data?: { readonly id: string } | null }>
  >;
}

/** The records of files with pages of JSON:API, by type. A file is one page or an array of pages. */
export function readPages(files: readonly string[]): ReadonlyMap<string, readonly Resource[]> {
  const found = new Map<string, Resource[]>();
  for (const file of files) {
    for (const one of parse(file)) {
      const ofType = found.get(one.type) ?? [];
      found.set(one.type, ofType);
      ofType.push(one);
    }
  }
  return found;
}

function parse(file: string): Resource[] {
  try {
    const pages = [JSON.parse(fs.readFileSync(file, 'utf8'))].flat() as { data: Resource[] }[];
    return pages.flatMap(({ data }) => data);
  } catch {
    throw new CommandError(
      `${file} cannot be read. It must have pages of JSON:API: { "data": [...] }.`,
    );
  }
}

export const related = ({ relationships }: Resource, name: string): string | undefined =>
  relationships?.[name]?.data?.id;
