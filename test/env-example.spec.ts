import fs from 'node:fs';
import { VARIABLES } from '../src/shared/config/environment.js';

const EXAMPLES = new Map(
  [...fs.readFileSync('.env.example', 'utf8').matchAll(/^#([A-Z_]+)=(.*)$/gm)].map(
    ([, name = '', value = '']) => [name, value],
  ),
);

describe('.env.example (S10)', () => {
  it('lists every variable that the service reads, and no other', () => {
    expect([...EXAMPLES.keys()].sort()).toEqual(Object.keys(VARIABLES).sort());
  });

  it.each(Object.entries(VARIABLES))(
    'shows the value that %s has where it is absent',
    (name, { default: value }) => {
      expect(EXAMPLES.get(name)).toBe(value === undefined ? '' : String(value));
    },
  );

  it('sets nothing as it is, so that a copy of it changes nothing', () => {
    expect(fs.readFileSync('.env.example', 'utf8')).not.toMatch(/^[^#\n]/m);
  });
});
