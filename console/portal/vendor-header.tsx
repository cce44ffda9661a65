import type { ReactNode } from 'react';
import { texts } from './texts.js';
import type { Vendor } from './requests.js';
import styles from './portal.module.css';

interface Props {
  readonly vendor: Vendor;
  readonly children?: ReactNode;
}

/** The vendor's name and logo, above every page. */
export const VendorHeader = ({ vendor: { name, logo, supportUrl }, children }: Props) => (
  <header className={styles.header}>
    {logo !== null && <img className={styles.logo} src={`data:image/png;base64,${logo}`} alt="" />}
    <strong className={styles.vendor}>{name}</strong>
    {supportUrl !== null && (
      <a href={supportUrl} rel="noreferrer">
        {texts.support}
      </a>
    )}
    {children}
  </header>
);
