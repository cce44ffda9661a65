import type { ReactNode } from 'react';
import { CloseAction } from './dialog.js';
import { Records } from './ui/records.js';

interface Props {
  readonly reason: string;
  /** Links to the records that prevent the request. A link closes the dialog. */
  readonly links: readonly ReactNode[];
  readonly onClose: () => void;
}

/** The content of a dialog for a request that the service would reject: links to the records that prevent it. */
export const Obstacles = ({ reason, links, onClose }: Props) => (
  <>
    <p>{reason}</p>
    <Records>
      {links.map((link, index) => (
        <li key={index}>{link}</li>
      ))}
    </Records>
    <CloseAction onClose={onClose} />
  </>
);
