import { isMet, targetText, valueText } from './table.mjs';

const WIDTH = 900;
const ROW = 34;
const BARS_FROM = 390;
/** Length of a bar that exactly reaches its target. */
const TARGET = 190;
const LONGEST = 2 * TARGET;

/** An SVG with a bar for each row. The length of a bar is its result in proportion to its target. */
export function chart(rows) {
  const height = (rows.length + 2) * ROW;
  const bars = rows.map((row, index) => bar(row, (index + 1) * ROW)).join('');
  const line = BARS_FROM + TARGET;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="13">
  <rect width="${WIDTH}" height="${height}" fill="#fff"/>
  <text x="${line}" y="22" text-anchor="middle" fill="#555">to reach</text>
${bars}  <path d="M${line} ${ROW - 6}V${height - ROW}" stroke="#555" stroke-dasharray="4 3"/>
</svg>
`;
}

function bar(row, y) {
  const { least, most } = row.target;
  const reached = least === undefined ? most / row.value.median : row.value.median / least;
  const length = Math.min(LONGEST, Math.round(reached * TARGET));
  const color = isMet(row) ? '#4a8f5a' : '#c0643c';
  return `  <text x="${BARS_FROM - 10}" y="${y + 19}" text-anchor="end">${escape(row.measured)}</text>
  <rect x="${BARS_FROM}" y="${y + 5}" width="${length}" height="20" fill="${color}"/>
  <text x="${BARS_FROM + length + 6}" y="${y + 19}">${escape(`${valueText(row)} (${targetText(row)})`)}</text>
`;
}

const escape = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
