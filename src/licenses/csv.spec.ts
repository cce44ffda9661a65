import { toCsvLine } from './csv.js';

it.each([
  [['a', 1, true, null, ['x', 'y']], 'a,1,true,,x y'],
  [[new Date(0)], '1970-01-01T00:00:00.000Z'],
  [['a,b', 'say "hi"', 'two\nlines'], '"a,b","say ""hi""","two\nlines"'],
  [['a;b', 'a\tb'], '"a;b","a\tb"'],
  [['=1+1', '+1', '-1', '@x', '\tx', '=a,b'], `'=1+1,'+1,'-1,'@x,"'\tx","'=a,b"`],
  [['＝1+1', '＋1', '－1', '＠x'], `'＝1+1,'＋1,'－1,'＠x`],
  [['a;=1+1', 'a\n+1', 'a-1; x'], `"a;'=1+1","a\n'+1","a-1; x"`],
])('the cells %j are the line %j', (cells, line) => {
  expect(toCsvLine(cells)).toBe(`${line}\r\n`);
});
