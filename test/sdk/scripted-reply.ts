import type { ScriptedReply } from './scenario.js';
import { json, type Reply } from './scripted-service.js';

const FAULTS: Readonly<Record<string, Reply>> = {
  hang_up: (response) => response.destroy(),
  /** A good response that breaks off in its middle. */
  half: (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 100 });
    response.write('{"status":"revoked",', () => response.destroy());
  },
  silence: () => undefined,
  /** Never silent for long, and never at an end. */
  trickle: (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  },
  endless: (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const write = () => {
      while (!response.destroyed && response.write('x'.repeat(16_384)));
      if (!response.destroyed) response.once('drain', write);
    };
    write();
  },
};

/** The reply of a scenario. */
export function scripted(reply: ScriptedReply): Reply {
  const { status = 200, headers = {}, body, text, repeat = 1, pad = 0, fault } = reply;
  if (fault !== undefined) {
    const fail = FAULTS[fault];
    if (!fail) throw new Error(`There is no fault ${fault}.`);
    return fail;
  }
  if (text === undefined) return json(status, body, headers);
  return (response) => {
    response.writeHead(status, { 'Content-Type': 'text/html', ...headers });
    response.end(text.repeat(repeat).padEnd(pad));
  };
}
