import { Search } from 'lucide-react';
import buttons from '../shared/ui/button.module.css';
import { preloadSearch } from './search-dialog.js';
import { search as names } from './search-texts.js';
import styles from './search.module.css';
import { VisuallyHidden } from '../shared/ui/visually-hidden.js';

interface Props {
  readonly onSearch: () => void;
  /** Whether it shows only the icon. */
  readonly isIcon?: boolean;
}

/** Opens the search. */
export const SearchButton = ({ onSearch, isIcon }: Props) => (
  <button
    type="button"
    className={isIcon ? buttons.quiet : styles.button}
    aria-keyshortcuts="Control+K Meta+K /"
    onPointerEnter={preloadSearch}
    onFocus={preloadSearch}
    onClick={onSearch}
  >
    <Search size={isIcon ? 20 : 16} aria-hidden />
    {isIcon ? <VisuallyHidden>{names.button}</VisuallyHidden> : <span>{names.button}</span>}
    {!isIcon && <kbd aria-hidden>{names.shortcut}</kbd>}
  </button>
);
