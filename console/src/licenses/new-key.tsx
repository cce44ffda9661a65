import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CopyButton } from '../shared/copy-button.js';
import { KeyLine } from '../shared/key-line.js';
import { Foot } from '../shared/ui/foot.js';
import buttons from '../shared/ui/button.module.css';
import { texts } from '../texts.js';

interface Props {
  readonly message: string;
  readonly license: { readonly _id: string; readonly key: string };
  /** The text of the link to the license page. */
  readonly open: string;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** The last step of a dialog that issued a license: the key, with a copy button. */
export const NewKey = ({ message, license, open, onClose, children }: Props) => (
  <>
    <p role="status">{message}</p>
    <KeyLine name={texts.licenses.key} text={license.key} />
    {children}
    <Foot>
      <button type="button" onClick={onClose}>
        {texts.close}
      </button>
      <Link
        to="/licenses/$id"
        params={{ id: license._id }}
        className={buttons.link}
        onClick={onClose}
      >
        {open}
      </Link>
      <CopyButton label={texts.licenses.copyKey} text={async () => license.key} isPrimary />
    </Foot>
  </>
);
