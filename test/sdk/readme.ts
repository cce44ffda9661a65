import fs from 'node:fs';

/** Where each language's first program is: in the README of this SDK, in its first block that matches. */
const PROGRAMS = {
  node: ['node', /```js\n(import [^`]+)```/],
  python: ['python', /```python\n(import [^`]+)```/],
  go: ['go', /```go\n(package main[^`]+)```/],
  java: ['java', /```java\n(import [^`]+)```/],
  rust: ['rust', /```rust,no_run\n(use [^`]+)```/],
  csharp: ['csharp', /```csharp\n(using [^`]+)```/],
  c: ['c', /```c\n(#include [^`]+)```/],
  cpp: ['c', /```cpp\n(#include [^`]+)```/],
} as const;

/** A language whose SDK has a program in its README. */
export type ReadmeLanguage = keyof typeof PROGRAMS;

/** The README of a language's SDK. */
export function readmeOf(language: ReadmeLanguage): string {
  return fs.readFileSync(`sdk/${PROGRAMS[language][0]}/README.md`, 'utf8');
}

/** The program that a reader pastes. Throws if the README has none. */
export function programOf(language: ReadmeLanguage): string {
  const [, program] = PROGRAMS[language][1].exec(readmeOf(language)) ?? [];
  if (program === undefined) throw new Error(`The README has no program: ${language}`);
  return program;
}
