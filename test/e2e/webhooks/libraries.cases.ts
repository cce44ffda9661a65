import { execFileSync } from 'node:child_process';
import { newSecret } from '../../../src/webhooks/secrets.js';
import { hasPython, installPython, PYTHON_NEEDED } from '../../sdk/python.js';
import { reportMissingTool } from '../../set-up/missing-tool.js';
import { useDeveloper } from '../use-app.js';
import { addWebhook, driveUntil } from './drive.js';
import { type Arrived, useReceiver } from './receiver.js';

interface Received extends Pick<Arrived, 'body' | 'headers'> {
  readonly secret: string;
}

const REJECTED = 'rejected';

/** Verifies messages with the package standardwebhooks of PyPI: a message, or that it was rejected. */
const PYTHON = `
import json, sys
from standardwebhooks.webhooks import Webhook, WebhookVerificationError
def verified(message):
    try:
        return Webhook(message["secret"]).verify(message["body"], message["headers"])
    except WebhookVerificationError:
        return "${REJECTED}"
print(json.dumps([verified(message) for message in json.load(sys.stdin)]))
`;

const verifiedByPypi = (messages: readonly Received[]) =>
  JSON.parse(
    execFileSync(installPython(), ['-c', PYTHON], {
      input: JSON.stringify(messages),
      env: { ...process.env, PYTHONUTF8: '1' },
      encoding: 'utf8',
    }),
  ) as unknown[];

if (!hasPython) {
  const sentence = `Webhooks are not tested with the library of PyPI without ${PYTHON_NEEDED}.`;
  reportMissingTool(sentence, process.env);
}

describe('A message is verified by the library of Standard Webhooks', () => {
  const [app, ada] = useDeveloper();
  const receiver = useReceiver();

  // test/e2e/webhooks/deliveries.cases.ts verifies messages by the library from npm.
  (hasPython ? it : it.skip)(
    'from PyPI with each secret of a rotation, and is rejected with another secret or changed',
    async () => {
      // The library takes the time of the machine.
      await app.moveTo(ada, new Date().toISOString());
      const { _id, secret } = await addWebhook(app, ada, receiver.url, ['client.created']);
      const rotation = await app.post(`/webhooks/${_id}/rotate-secret`, {}, ada);
      await app.createClient(ada, { name: 'Grün & Söhne “€”' });
      await driveUntil(app, () => receiver.arrived.length > 0);
      await app.delete(`/webhooks/${_id}`, ada);
      const [{ body, headers }] = receiver.arrived as [Arrived];
      const message = { secret, body, headers };
      const results = verifiedByPypi([
        message,
        { ...message, secret: rotation.body.secret as string },
        { ...message, secret: newSecret() },
        { ...message, body: `${body} ` },
      ]);
      const parsed: unknown = JSON.parse(body);
      expect(results).toEqual([parsed, parsed, REJECTED, REJECTED]);
      expect(parsed).toMatchObject({ data: { subject: { name: 'Grün & Söhne “€”' } } });
    },
  );
});
