import type { ServerResponse } from 'node:http';
import { MessageServer } from '../e2e/webhooks/receiver.js';
import type { ScriptedReply } from './scenario.js';

export type Reply = (response: ServerResponse, request: { readonly nonce?: string }) => unknown;

export interface Asked {
  readonly path: string;
  readonly body: { readonly key: string; readonly fingerprint: string; readonly nonce?: string };
}

/** A server that sends scripted replies, one per request, then repeats the last one. Unlike the real service, it can misbehave. */
export class ScriptedService extends MessageServer {
  readonly asked: Asked[] = [];
  private replies: Reply[] = [];

  constructor() {
    super(({ path, body: text }, response) => {
      const body = JSON.parse(text || '{}') as Asked['body'];
      this.asked.push({ path, body });
      const [reply] = this.replies.length > 1 ? this.replies.splice(0, 1) : this.replies;
      void reply!(response, body);
    });
  }

  /** Replaces the replies. */
  script(...replies: Reply[]): void {
    this.replies = replies;
  }

  get paths(): string[] {
    return this.asked.map(({ path }) => path);
  }
}

/** Provides one for all tests of the calling block. */
export function useScriptedService(): ScriptedService {
  const service = new ScriptedService();
  beforeAll(() => service.start());
  afterAll(() => service.stop());
  return service;
}

export const json =
  (code: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response
      .writeHead(code, { 'Content-Type': 'application/json', ...headers })
      .end(JSON.stringify(body));

const FAULTS: Readonly<Record<string, Reply>> = {
  hang_up: (response) => response.destroy(),
  /** A good response that breaks off in the middle. */
  half: (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 100 });
    response.write('{"status":"revoked",', () => response.destroy());
  },
  silence: () => undefined,
  /** Never silent for long, and never complete. */
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
