import { LicenseCard } from '../../portal/license-card.js';
import type { CustomerLicense } from '../../portal/requests.js';
import { VendorHeader } from '../../portal/vendor-header.js';
import type { PortalSettings } from './portal-queries.js';
import { portal as names } from './portal-texts.js';
import styles from './preview.module.css';

const KEY_END = '7Q2M';
const DAY = 86_400_000;
const after = (days: number) => new Date(Date.now() + days * DAY).toISOString();

/** What customers see, with a sample license. */
export const Preview = ({ settings }: { readonly settings: PortalSettings }) => (
  <div inert className={styles.preview}>
    <VendorHeader vendor={{ ...settings, mailsLinks: true }} />
    <div className={styles.page}>
      <LicenseCard license={sampleOf(settings)} onRelease={() => undefined} />
    </div>
  </div>
);

const sampleOf = ({ showKey, releasesPer30Days }: PortalSettings): CustomerLicense => ({
  _id: '',
  project: names.sample.project,
  key: showKey ? `LIC-665F1C2A-X0AB-93KD-${KEY_END}` : `•••• ${KEY_END}`,
  status: 'ACTIVE',
  startsOnActivation: false,
  expiresAt: after(200),
  updatesUntil: null,
  maxMachines: 2,
  machinesCount: 2,
  machines: [names.sample.laptop, names.sample.desktop].map((name, index) => ({
    machineId: name,
    name,
    lastSeenAt: after(-index),
    certificateEndsAt: null,
  })),
  releasesLeft: releasesPer30Days,
  releaseAvailableAt: null,
});
