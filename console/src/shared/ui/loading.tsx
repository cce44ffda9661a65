import { texts } from '../../texts.js';
import styles from './loading.module.css';

/** In place of what is not there yet. */
export const Loading = () => (
  <p className={styles.loading} data-loading>
    {texts.loading}
  </p>
);
