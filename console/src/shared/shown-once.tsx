import { texts } from '../texts.js';
import { CopyButton } from './copy-button.js';
import { KeyLine } from './key-line.js';
import { Foot } from './ui/foot.js';

export interface Once {
  /** The secret that the service shows only once. */
  readonly text: string;
  readonly details: string;
}

export interface OnceNames {
  readonly text: string;
  readonly copy: string;
}

interface Props extends Once {
  readonly names: OnceNames;
  readonly onClose: () => void;
}

/** The content of a dialog that shows a secret only once. */
export const ShownOnce = ({ text, details, names, onClose }: Props) => (
  <>
    <p role="status">{details}</p>
    <KeyLine name={names.text} text={text} />
    <Foot>
      <button type="button" onClick={onClose}>
        {texts.close}
      </button>
      <CopyButton label={names.copy} text={async () => text} isPrimary />
    </Foot>
  </>
);
