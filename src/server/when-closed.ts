import type { ServerResponse } from 'node:http';

type Work = () => void;

const WORK = Symbol('work when closed');

type Response = ServerResponse & { [WORK]?: Work[] };

/** Calls back once a response has been sent or its caller has gone. Each response has one listener, however much waits for it. */
export function whenClosed(response: Response, work: Work): void {
  const others = response[WORK];
  if (others) {
    others.push(work);
    return;
  }
  const all = (response[WORK] = [work]);
  response.once('close', () => all.forEach((each) => each()));
}
