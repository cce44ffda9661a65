import fs from 'node:fs';

/** The README of an SDK, by the name of its folder. */
export const readmeOf = (sdk: string): string => fs.readFileSync(`sdk/${sdk}/README.md`, 'utf8');
