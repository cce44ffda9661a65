/** A response whose body has been read: one that nobody reads keeps its connection, and so the process of the test. */
export async function fetchWhole(url: string, request?: RequestInit) {
  const response = await fetch(url, request);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}
