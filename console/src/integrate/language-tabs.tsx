import { Link } from '@tanstack/react-router';
import { integrate as names, languages } from './integrate-texts.js';
import styles from './language-tabs.module.css';
import { type Language, PROGRAMS } from './programs/languages.js';

const LANGUAGES = Object.keys(PROGRAMS) as Language[];

/** Chooses a language. Each has its own URL, so it can be shared. */
export const LanguageTabs = ({ chosen }: { readonly chosen: Language }) => (
  <nav aria-label={names.language}>
    <ul className={styles.tabs}>
      {LANGUAGES.map((language) => (
        <li key={language}>
          <Link
            to="/integrate"
            search={(before) => ({ ...before, language })}
            replace
            resetScroll={false}
            aria-current={language === chosen ? 'page' : undefined}
          >
            {languages[language]}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
);
