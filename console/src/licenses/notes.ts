import { edit as names } from './license-texts.js';

type Metadata = Readonly<Record<string, string>>;

/** The name and the value of a note. */
const NOTE = /^([^:\s][^:]{0,63}):(?:\s+(.*))?$/;

/** Metadata as lines of a text field. */
export const textOfNotes = (metadata: Metadata): string =>
  Object.entries(metadata)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** The metadata in a text. A line without a name continues the previous line. */
export function notesOf(text: string): Metadata {
  const notes = new Map<string, string>();
  let name = names.note;
  for (const line of text.split(/\r?\n/)) {
    const [, named, value = ''] = NOTE.exec(line) ?? [];
    if (named !== undefined) notes.set((name = named.trim()), value);
    else if (notes.has(name)) notes.set(name, `${notes.get(name)}\n${line}`);
    else if (line.trim() !== '') notes.set(name, line);
  }
  return Object.fromEntries([...notes].map(([key, value]) => [key, value.trimEnd()]));
}
