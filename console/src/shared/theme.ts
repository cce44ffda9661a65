/** The theme that the user chose for this browser. If it is absent, the theme of the system applies. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const STORED = 'theme';

const isTheme = (name: unknown): name is Theme => THEMES.includes(name as Theme);

export function storedTheme(): Theme {
  const stored = localStorage.getItem(STORED);
  return isTheme(stored) ? stored : 'system';
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(STORED, theme);
  showTheme();
}

/** The style sheet has the colors of each theme. */
export function showTheme(): void {
  document.documentElement.dataset.theme = storedTheme();
}
