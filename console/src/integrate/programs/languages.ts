import { c } from './c.js';
import { cpp } from './cpp.js';
import { csharp } from './csharp.js';
import { go } from './go.js';
import { java } from './java.js';
import { node } from './node.js';
import { python } from './python.js';
import { rust } from './rust.js';

/** The programs of the languages that have an SDK. */
export const PROGRAMS = { node, python, java, csharp, go, rust, c, cpp } as const;

export type Language = keyof typeof PROGRAMS;
