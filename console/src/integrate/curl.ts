const HEADER = "-H 'Content-Type: application/json'";

/** Commands that activate and validate a license, for a POSIX shell. */
export const curlOf = (service: string, product: string): string => {
  const body = `{"key":"'"$KEY"'","fingerprint":"my-first-machine","product":"${product}"}`;
  const post = (path: string) => `curl ${service}${path} ${HEADER} \\\n  -d '${body}'`;
  return ["KEY='LIC-…'", post('/validate/activate'), post('/validate')].join('\n');
};
