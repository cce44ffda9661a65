import { Loading } from '../shared/ui/loading.js';
import styles from './layout.module.css';
import { WaitingSidebar } from './sidebar.js';

/** Shown while the session check waits for the service. */
export const WaitingLayout = () => (
  <div className={styles.shell}>
    <WaitingSidebar />
    <main>
      <Loading />
    </main>
  </div>
);
