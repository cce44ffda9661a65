const HEADER = "-H 'Content-Type: application/json'";

/** Commands that activate and validate a license, for a POSIX shell. */
export const curlOf = (service: string, product: string): string => {
  const machine = `"key":"'"$KEY"'","fingerprint":"my-first-machine","product":"${product}"`;
  const post = (path: string, fields: string) =>
    `curl ${service}${path} ${HEADER} \\\n  -d '{${fields}}'`;
  return [
    "KEY='LIC-…'",
    post('/validate/activate', `${machine},"machineName":"My first machine"`),
    post('/validate', machine),
  ].join('\n');
};
