import { texts } from '../texts.js';
import styles from './brand.module.css';

/** The logo and the name of the console. */
export const Brand = () => <p className={styles.brand}>{texts.product}</p>;
