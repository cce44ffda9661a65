/** The problems of a page's tables, in words. It runs in the browser, so it is one function. */
export function problemsOf(): string[] {
  const maxRowHeight = 44;
  const isCards = innerWidth < 768;
  const problems = new Set<string>();
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) problems.add(`${scrollWidth - clientWidth} px too wide`);
  for (const row of document.querySelectorAll<HTMLElement>('main table[role=table] tr')) {
    if (!isCards) checkHeight(row);
    if (isCards && row.closest('tbody')) checkCard(row);
    if (!isCards || row.closest('tbody')) {
      row.querySelectorAll<HTMLElement>('[data-column], th').forEach(checkCell);
    }
  }
  return [...problems];

  function checkHeight(row: HTMLElement) {
    const { height } = row.getBoundingClientRect();
    if (height > maxRowHeight) problems.add(`${textOf(row)}: a row of ${height} px`);
  }

  /** Nothing covers its texts. */
  function checkCard(row: HTMLElement) {
    const cells = [...row.querySelectorAll<HTMLElement>('[data-column]')];
    const controls = row.querySelectorAll<HTMLElement>('td:not([data-column]) :is(button, input)');
    for (const control of controls) {
      const box = control.getBoundingClientRect();
      const covered = [...cells, ...controls].find((other) => {
        if (other === control) return false;
        const { left, right, top, bottom } = (
          other.lastElementChild ?? other
        ).getBoundingClientRect();
        return left < box.right && box.left < right && top < box.bottom && box.top < bottom;
      });
      if (covered) problems.add(`${textOf(row)}: ${control.tagName} covers ${textOf(covered)}`);
    }
  }

  function checkCell(cell: HTMLElement) {
    const name = `${cell.dataset.column ?? 'Heading'} "${textOf(cell)}"`;
    const bounds = cell.getBoundingClientRect();
    const clientX = (bounds.left + bounds.right) / 2;
    cell.dispatchEvent(new MouseEvent('mousemove', { bubbles: true, clientX }));
    const { title } = cell.closest('tr')!;
    for (const element of cell.querySelectorAll<HTMLElement>('*')) {
      if (element.closest('[class*=_hidden_], svg')) continue;
      const { left, right } = element.getBoundingClientRect();
      const seen = visiblePart(element, cell);
      const hasText = [...element.childNodes].some(({ nodeType }) => nodeType === Node.TEXT_NODE);
      if (hasText && (seen.left < bounds.left - 1 || seen.right > bounds.right + 1)) {
        problems.add(`${name} flows out`);
      }
      const isWhole = element.matches('button, input, [class*=badge], [data-column] > div > time');
      if (isWhole && (seen.left > left + 1 || seen.right < right - 1)) {
        problems.add(`${name}: ${element.tagName} is cut`);
      }
      const isCut =
        getComputedStyle(element).overflowX !== 'visible' &&
        element.scrollWidth > element.clientWidth + 1;
      if (isCut && isCards) problems.add(`${name} is cut on a card`);
      if (isCut && title === '') problems.add(`${name} is cut, without a title`);
    }
  }

  /** The part of an element that its ancestors do not clip, up to its cell. */
  function visiblePart(element: HTMLElement, cell: HTMLElement) {
    let { left, right } = element.getBoundingClientRect();
    for (let parent = element.parentElement!; parent !== cell; parent = parent.parentElement!) {
      if (getComputedStyle(parent).overflowX === 'visible') continue;
      const outer = parent.getBoundingClientRect();
      left = Math.max(left, outer.left);
      right = Math.min(right, outer.right);
    }
    return { left, right };
  }

  function textOf(element: Element) {
    return String(element.textContent).slice(0, 30);
  }
}
