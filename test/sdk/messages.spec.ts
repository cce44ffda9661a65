import fs from 'node:fs';
import { CERTIFICATE_MESSAGES, CONTACT_MESSAGES } from '../../sdk/node/src/license-error.js';

const messages = JSON.parse(fs.readFileSync('sdk/messages.json', 'utf8')) as { errors: object };

describe('sdk/messages.json', () => {
  it('has the messages of the Node SDK; the scenarios compare those of every language', () => {
    expect(messages.errors).toMatchObject({ ...CONTACT_MESSAGES, ...CERTIFICATE_MESSAGES });
  });
});
