import { useState } from 'react';
import { SelectField } from '../shared/fields.js';
import { chooseTheme, storedTheme, type Theme, THEMES } from '../shared/theme.js';
import { Panel } from '../shared/ui/panel.js';
import { appearance as names } from './account-texts.js';

/** Chooses the colors of the console, in this browser. */
export function ThemeField() {
  const [theme, setTheme] = useState(storedTheme);
  return (
    <Panel label={names.title}>
      <h2>{names.title}</h2>
      <SelectField
        label={names.theme}
        hint={names.hint}
        name="theme"
        value={theme}
        onChange={({ target }) => {
          chooseTheme(target.value as Theme);
          setTheme(target.value as Theme);
        }}
      >
        {THEMES.map((one) => (
          <option key={one} value={one}>
            {names.themes[one]}
          </option>
        ))}
      </SelectField>
    </Panel>
  );
}
