import { texts } from '../../texts.js';
import styles from './loading.module.css';

/** Shown until the content arrives. */
export const Loading = () => (
  <p className={styles.loading} data-loading>
    {texts.loading}
  </p>
);
