import { CloseAction } from '../shared/dialog.js';
import { search as names } from './search-texts.js';
import styles from './search.module.css';

/** The keys that work on every page. */
export const Shortcuts = ({ onClose }: { readonly onClose: () => void }) => (
  <>
    <dl className={styles.shortcuts}>
      {names.shortcuts.map(([keys, what]) => (
        <div key={keys}>
          <dt>
            <kbd>{keys}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
    <CloseAction onClose={onClose} />
  </>
);
