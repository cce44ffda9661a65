import { deflateSync } from 'node:zlib';
import { runAccountCommand } from '../../../src/cli/accounts.js';
import { PORTAL_URL } from '../../http-caller.js';
import { expectError, expectInvalid, expectResponse } from '../responses.js';
import { useApp, useDeveloper } from '../use-app.js';
import { LOGO, SETTINGS } from './customers.js';

describe('A deployment without a portal', () => {
  const app = useApp({ PORTAL_URL: '' });

  it('409: cannot turn a portal on, creates no link, and serves no page', async () => {
    const ada = await app.register();
    const client = await app.createClient(ada);
    expect((await app.get('/portal', ada)).body).toMatchObject({ enabled: false, url: null });
    expect((await app.put('/portal', { ...SETTINGS, enabled: false }, ada)).status).toBe(200);
    expectError(await app.put('/portal', SETTINGS, ada), 'PORTAL_NOT_CONFIGURED');
    const link = await app.post(`/clients/${client._id}/portal-link`, {}, ada);
    expectError(link, 'PORTAL_NOT_CONFIGURED');
    expectError(await app.get(`/portal/${ada._id}`), 'ROUTE_NOT_FOUND');
  });
});

const chunk = (type: string, data: Buffer) => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, data, Buffer.alloc(4)]);
};
/** A PNG with this many pixels each way. */
function png(pixels: number, ...more: Buffer[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(pixels);
  header.writeUInt32BE(pixels, 4);
  header.writeUInt8(8, 8);
  const image = chunk('IDAT', deflateSync(Buffer.alloc(9)));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    image,
    chunk('IEND', Buffer.alloc(0)),
    ...more,
  ]);
}

describe('The settings of a portal', () => {
  const [app, ada] = useDeveloper();

  it('200: have defaults, are replaced as a whole, and are recorded without the logo', async () => {
    const url = `${PORTAL_URL}/${ada._id}`;
    const off = { enabled: false, name: 'Ada', supportUrl: null, logo: null, url };
    const defaults = { ...off, showKey: false, releasesPer30Days: 3 };
    expectResponse(await app.get('/portal', ada), 200, defaults);
    const settings = {
      ...{ enabled: true, name: 'Studio <b>Ada</b>', supportUrl: 'mailto:help@studio.example' },
      ...{ logo: LOGO, showKey: true, releasesPer30Days: 0 },
    };
    const put = await app.put('/portal', settings, ada);
    expectResponse(put, 200, { message: 'Portal updated', portal: { ...settings, url } });
    expect((await app.put('/portal', settings, ada)).body).toEqual(put.body);
    expect((await app.get('/portal', ada)).body).toEqual({ ...settings, url });
    const { body } = await app.put('/portal', { enabled: false, name: 'Ada' }, ada);
    expect(body.portal).toEqual(defaults);
    const { data } = (await app.get('/events?type=portal.updated', ada)).body;
    expect(data).toHaveLength(2);
    expect(data[1].data).toMatchObject({ enabled: [false, true], logo: [false, true] });
  });

  it.each<[string, Record<string, unknown>]>([
    ['enabled', { enabled: 'yes' }],
    ['name', { name: 'Acme \u202eetL' }],
    ['name', { name: null }],
    ['supportUrl', { supportUrl: 'javascript:alert(1)' }],
    ['supportUrl', { supportUrl: 'http://studio.example' }],
    ['supportUrl', { supportUrl: 'https://ada:secret@studio.example' }],
    ['supportUrl', { supportUrl: 'mailto:' }],
    ['supportUrl', { supportUrl: 'data:text/html,a' }],
    ['showKey', { showKey: 1 }],
    ['releasesPer30Days', { releasesPer30Days: 11 }],
    ['releasesPer30Days', { releasesPer30Days: -1 }],
    ['logo', { logo: Buffer.from('<svg onload="alert(1)">').toString('base64') }],
    ['logo', { logo: `data:image/png;base64,${LOGO}` }],
    ['logo', { logo: png(1, Buffer.from('<script>')).toString('base64') }],
    ['logo', { logo: png(1025).toString('base64') }],
    ['logo', { logo: png(0).toString('base64') }],
    ['logo', { logo: png(1).subarray(0, -1).toString('base64') }],
    ['logo', { logo: `${LOGO}\n` }],
    ['logo', { logo: Buffer.alloc(8193).toString('base64') }],
  ])('400: %s of %j', async (field, fields) => {
    expectInvalid(await app.put('/portal', { ...SETTINGS, ...fields }, ada), field);
    expect((await app.get('/portal', ada)).body.enabled).toBe(false);
  });

  it('200: a new portal has the name of the current owner', async () => {
    const grace = await app.addMember(ada, 'admin');
    await runAccountCommand(app.nest, 'transfer', ada.email, { to: grace.email });
    expect((await app.get('/portal', grace)).body.name).toBe('Grace');
  });

  it('200: a logo of the largest size', async () => {
    const filler = chunk('tEXt', Buffer.alloc(8192 - png(1024).length - 12));
    const whole = png(1024);
    const logo = Buffer.concat([whole.subarray(0, -12), filler, whole.subarray(-12)]);
    expect(logo).toHaveLength(8192);
    const { status } = await app.put(
      '/portal',
      { ...SETTINGS, logo: logo.toString('base64') },
      ada,
    );
    expect(status).toBe(200);
  });
});
