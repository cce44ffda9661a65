import { CopyButton } from '../shared/copy-button.js';
import { download } from '../shared/download.js';
import { Foot } from '../shared/ui/foot.js';
import { texts } from '../texts.js';
import { recoveryCodes as names } from './security-texts.js';
import styles from './security.module.css';

interface Props {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** The content of a dialog that shows recovery codes. The service shows them only once. */
export function ShownCodes({ codes, onClose }: Props) {
  const text = `${codes.join('\n')}\n`;
  return (
    <>
      <p role="status">{names.shownDetails}</p>
      <ol className={styles.codes} aria-label={names.title}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <Foot>
        <button type="button" onClick={onClose}>
          {texts.close}
        </button>
        <button type="button" onClick={() => download(text, names.file)}>
          {names.download}
        </button>
        <CopyButton label={names.copy} text={async () => text} isPrimary />
      </Foot>
    </>
  );
}
