import { FixedWindows, REMEMBERED } from './fixed-windows.js';

const MINUTE = 60_000;

describe('FixedWindows', () => {
  let windows: FixedWindows;
  beforeEach(() => {
    windows = new FixedWindows();
  });

  it('counts hits in a window that begins with the first one', () => {
    expect(windows.hit('a', MINUTE, 1000)).toEqual({ hits: 1, endsIn: MINUTE });
    expect(windows.hit('a', MINUTE, 1500)).toEqual({ hits: 2, endsIn: MINUTE - 500 });
    expect(windows.hit('a', MINUTE, 1000 + MINUTE - 1)).toEqual({ hits: 3, endsIn: 1 });
  });

  it('begins a new window with the first hit after the last one has ended', () => {
    windows.hit('a', MINUTE, 0);
    expect(windows.hit('a', MINUTE, MINUTE)).toEqual({ hits: 1, endsIn: MINUTE });
    expect(windows.hit('a', MINUTE, 10 * MINUTE)).toEqual({ hits: 1, endsIn: MINUTE });
  });

  it('has room until the limit is reached, and again when the window has ended', () => {
    windows.hit('a', MINUTE, 0);
    expect(windows.waitFor('a', 2, 10)).toBe(0);
    windows.hit('a', MINUTE, 20);
    expect(windows.waitFor('a', 2, 30)).toBe(MINUTE - 30);
    expect(windows.waitFor('a', 2, MINUTE - 1)).toBe(1);
    expect(windows.waitFor('a', 2, MINUTE)).toBe(0);
  });

  it('counts each key separately', () => {
    windows.hit('a', MINUTE, 0);
    expect(windows.waitFor('b', 1, 0)).toBe(0);
    expect(windows.hit('b', MINUTE, 5)).toEqual({ hits: 1, endsIn: MINUTE });
  });

  it('reports the open window without counting a hit', () => {
    expect(windows.look('a', 0)).toEqual({ hits: 0, endsIn: 0 });
    windows.hit('a', MINUTE, 0);
    expect(windows.look('a', 10)).toEqual({ hits: 1, endsIn: MINUTE - 10 });
    expect(windows.look('a', 20)).toEqual({ hits: 1, endsIn: MINUTE - 20 });
    expect(windows.look('a', MINUTE)).toEqual({ hits: 0, endsIn: 0 });
  });

  it('takes back a hit of the open window, and none of an earlier one', () => {
    windows.hit('a', MINUTE, 0);
    windows.hit('a', MINUTE, 0);
    windows.undo('a', 10);
    expect(windows.look('a', 20)).toEqual({ hits: 1, endsIn: MINUTE - 20 });
    windows.undo('a', MINUTE);
    expect(windows.hit('a', MINUTE, MINUTE)).toEqual({ hits: 1, endsIn: MINUTE });
  });

  it('forgets a window whose hits were all taken back, and never counts below zero', () => {
    windows.hit('a', MINUTE, 0);
    windows.undo('a', 10);
    windows.undo('a', 20);
    expect(windows.hit('a', MINUTE, 30)).toEqual({ hits: 1, endsIn: MINUTE });
  });

  it('remembers the most recently used keys, up to its bound', () => {
    for (let key = 0; key <= REMEMBERED; key++) {
      windows.hit(String(key), MINUTE, 0);
      windows.look('0', 0);
    }
    expect(windows.look('0', 0).hits).toBe(1);
    expect(windows.look('1', 0).hits).toBe(0);
    expect(windows.look('2', 0).hits).toBe(1);
    expect(windows.look(String(REMEMBERED), 0).hits).toBe(1);
  });
});
