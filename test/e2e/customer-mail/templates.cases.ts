import { expectError, expectInvalid, expectResponse } from '../responses.js';
import { useDeveloper } from '../use-app.js';

describe('The templates of mail to clients', () => {
  const [app, ada] = useDeveloper();
  const put = (kind: string, body: object) => app.put(`/mail-templates/${kind}`, body, ada);
  const list = async (call = ada) => (await app.get('/mail-templates', call)).body.data;

  it('are off with default texts, are changed one by one with an event, and belong to one account', async () => {
    const defaults = await list();
    expect(defaults).toEqual([
      expect.objectContaining({ kind: 'license_issued', enabled: false, updatedAt: null }),
      expect.objectContaining({ kind: 'license_expiring', enabled: false, updatedAt: null }),
    ]);
    const fields = {
      ...{ enabled: false, subject: ' Key for {{ project.name }} ', replyTo: 'Help@Acme.example' },
      text: 'Hello\r\n\t{{client.name}}\n',
    };
    const template = {
      ...{ kind: 'license_issued', enabled: false, subject: 'Key for {{ project.name }}' },
      ...{ text: 'Hello\n\t{{client.name}}', replyTo: 'help@acme.example' },
      updatedAt: app.clock.now().toISOString(),
    };
    for (const _repeated of [1, 2]) {
      expectResponse(await put('license_issued', fields), 200, {
        ...{ message: 'Template saved', template },
      });
    }
    expect(await list()).toEqual([template, defaults[1]]);
    expect(await list(await app.register())).toEqual(defaults);
    const events = (await app.get('/events?type=mail_template.*', ada)).body.data;
    expect(events).toEqual([
      expect.objectContaining({
        subject: expect.objectContaining({ type: 'mail_template', name: 'license_issued' }),
        data: {
          subject: [defaults[0].subject, template.subject],
          text: [defaults[0].text, template.text],
          replyTo: [null, template.replyTo],
        },
      }),
    ]);
    const { body } = await put('license_issued', { enabled: false });
    expect(body.template).toMatchObject({ ...defaults[0], updatedAt: template.updatedAt });
  });

  it('409 to turn mail on, try it out or send a key if the operator has not set up mail', async () => {
    const details = expect.stringContaining('operator');
    const off = 'MAIL_OFF';
    expectError(await put('license_issued', { enabled: true }), off, { details });
    const test = '/mail-templates/license_issued/test';
    expectError(await app.post(test, undefined, ada), off, { details });
    const { _id } = await app.createLicense(ada);
    expectError(await app.post(`/licenses/${_id}/send`, undefined, ada), off, { details });
    expect((await app.get('/mails', ada)).body.data).toEqual([]);
    expect((await app.get('/mail-templates', ada)).body.blockedBy).toBe('no_smtp');
  });

  it('400 for an unknown placeholder, which the error names, a key in a subject, and texts that are too long', async () => {
    for (const [field, value, reason] of [
      ['text', 'Hi {{ client.nam }}', 'the unknown placeholder {{client.nam}}'],
      ['subject', 'Hi {{email}}', 'the unknown placeholder {{email}}'],
      ['subject', 'Key {{ license.key }}', 'must not contain {{license.key}}'],
      ['subject', 'x'.repeat(201), '1 to 200'],
      ['subject', 'one\ntwo', 'control characters'],
      ['text', 'x'.repeat(4_001), '1 to 4000'],
      ['text', 'a bell \u0007', 'control characters'],
      ['text', ' ', '1 to 4000'],
      ['replyTo', 'Acme <help@acme.example>', 'mail address'],
      ['enabled', null, 'boolean'],
      ['kind', 'license_expiring', 'not a field'],
    ] as const) {
      const response = await put('license_issued', { enabled: false, [field]: value });
      expectInvalid(response, field);
      expect(response.body.details).toContain(reason);
    }
    expectInvalid(await put('license_revoked', { enabled: false }), 'kind');
    expect(await list()).toEqual([
      ...[expect.objectContaining({ updatedAt: null }), expect.anything()],
    ]);
    expectError(await app.put('/mail-templates/license_issued', null, ada), 'VALIDATION_ERROR');
  });
});
