import { readmeOf } from './readme.js';

const NODE = readmeOf('node');
const OTHERS = ['python', 'go', 'java', 'rust', 'c', 'csharp'] as const;

describe.each(OTHERS)('The README of %s', (sdk) => {
  const readme = readmeOf(sdk);

  it('has the sections of every README, in their order', () => {
    const methods = sdk === 'c' ? 'Functions' : 'Methods';
    const sections = sectionsOf(NODE).map((name) => (name === 'Methods' ? methods : name));
    expect(sectionsOf(readme)).toEqual(sections);
  });

  it('has every state, reason and code of an error', () => {
    expect(statesOf(readme)).toEqual(statesOf(NODE));
    expect(codesOf(readme)).toEqual(expect.arrayContaining(codesOf(NODE)));
  });

  it('links to no other README for what it says', () => {
    expect(readme).not.toMatch(/README\.md#/);
  });
});

function sectionsOf(readme: string): string[] {
  return [...readme.matchAll(/^## (.+)$/gm)].map(([, name]) => name!);
}

/** The first column of the table of states. */
function statesOf(readme: string): string[] {
  const [, table] = /\n\| `state` [^\n]+\n\| -[^\n]+\n((?:\|[^\n]+\n)+)/.exec(readme) ?? [];
  return [...(table ?? '').matchAll(/^\| (`\w+`)/gm)].map(([, state]) => state!);
}

/** The reasons and the codes of errors, which follow the table of states. */
function codesOf(readme: string): string[] {
  const [, text] =
    /is a stable code that says more,[^]+?\n\n([^]+?)\n\nOnly the service's/.exec(readme) ?? [];
  return text?.match(/`([a-z_]+|[A-Z_]+)`/g) ?? [];
}
