/** Milliseconds after which a browser has begun to save a file. */
const SAVED = 60_000;

/** Has the browser save a text as a file. */
export function download(text: string, name: string, type = 'text/plain'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), SAVED);
}
