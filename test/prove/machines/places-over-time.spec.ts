import { mostAtOnce } from './places-over-time.js';

describe('mostAtOnce', () => {
  it('counts the places that overlap, and not one that begins when another ends', () => {
    const held = [
      { from: 0, until: 2 },
      { from: 1, until: 3 },
      { from: 2, until: 4 },
      { from: 5, until: 5 },
    ];
    expect(mostAtOnce(held)).toBe(2);
    expect(mostAtOnce([...held, { from: 1.5, until: 2.5 }])).toBe(3);
    expect(mostAtOnce([])).toBe(0);
  });
});
