import { CopyButton } from '../shared/copy-button.js';
import { download } from '../shared/download.js';
import { Foot } from '../shared/ui/foot.js';
import { texts } from '../texts.js';
import { issue as names } from './issue-texts.js';
import type { IssuedLicense } from './issue-license.js';

interface Props {
  readonly licenses: readonly IssuedLicense[];
  readonly onClose: () => void;
}

/** The last step of a dialog that issued several licenses: their keys, with buttons to copy or save them. */
export function NewKeys({ licenses, onClose }: Props) {
  const keys = licenses.map(({ key }) => key).join('\n');
  return (
    <>
      <p role="status">{names.issued(licenses.length)}</p>
      <textarea aria-label={names.keys} value={keys} readOnly rows={8} />
      <Foot>
        <button type="button" onClick={onClose}>
          {texts.close}
        </button>
        <button type="button" onClick={() => download(`${keys}\n`, names.keysFile)}>
          {names.saveKeys}
        </button>
        <CopyButton label={names.copyKeys} text={async () => keys} isPrimary />
      </Foot>
    </>
  );
}
