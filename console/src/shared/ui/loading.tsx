import { texts } from '../../texts.js';
import styles from './loading.module.css';

/** In place of what is not there yet. */
export const Loading = () => <p className={styles.loading}>{texts.loading}</p>;
