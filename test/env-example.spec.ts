import fs from 'node:fs';
import { VARIABLES } from '../src/shared/config/environment.js';

describe('.env.example (S10)', () => {
  const text = fs.readFileSync('.env.example', 'utf8');

  it('lists every variable that the service reads with the value that it has where it is absent, and no other', () => {
    const examples = [...text.matchAll(/^#([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [
      name,
      value,
    ]);
    const defaults = Object.entries(VARIABLES).map(([name, { default: value }]) => [
      name,
      String(value ?? ''),
    ]);
    expect(examples.toSorted()).toEqual(defaults.toSorted());
  });

  it('sets nothing as it is, so that a copy of it changes nothing', () => {
    expect(text).not.toMatch(/^[^#\n]/m);
  });
});
