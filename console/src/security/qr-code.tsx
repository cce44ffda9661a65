import { encode } from 'uqr';
import styles from './security.module.css';

/** Scanners need this many light squares around the code. */
const QUIET = 4;

interface Props {
  readonly label: string;
  readonly text: string;
}

/** A QR code. */
export function QrCode({ label, text }: Props) {
  const { data, size } = encode(text, { border: QUIET });
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <svg
      role="img"
      aria-label={label}
      className={styles.qr}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <path d={squares.join('')} fill="currentColor" />
    </svg>
  );
}
