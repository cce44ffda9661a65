const HEADER = "-H 'Content-Type: application/json'";

/**
 * Commands that activate and validate a license, for a POSIX shell.
 *
 * @param key null if the reader enters it
 */
export const curlOf = (service: string, product: string, key: string | null): string => {
  const machine = `"key":"'"$KEY"'","fingerprint":"my-first-machine","product":"${product}"`;
  const post = (path: string, fields: string) =>
    `curl ${service}${path} ${HEADER} \\\n  -d '{${fields}}'`;
  return [
    // An imported key may contain a quote.
    `KEY='${key?.replaceAll("'", "'\\''") ?? 'LIC-…'}'`,
    post('/validate/activate', `${machine},"machineName":"My first machine"`),
    post('/validate', machine),
  ].join('\n');
};
