import { isPublic, urlProblem } from './addresses.js';

describe('S26: an address', () => {
  it.each(['8.8.8.8', '2a00:1450:4001::200e'])(
    'that is global unicast is public: %s',
    (address) => {
      expect(isPublic(address)).toBe(true);
    },
  );

  it.each([
    ...['127.0.0.1', '127.9.9.9', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
    ...['169.254.169.254', '100.64.0.1', '100.127.255.255', '0.0.0.0', '0.1.2.3'],
    ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '192.0.0.8'],
    ...['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '192.88.99.1'],
    ...['::', '::1', 'fe80::1', 'fec0::1', 'fc00::1', 'fd12:3456::1', 'ff02::1', '100::1'],
    ...['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::7f00:1', '::8.8.8.8', '64:ff9b::7f00:1'],
    ...['64:ff9b::8.8.8.8', '64:ff9b:1::1', '2002:7f00:1::', '2002:808:808::1', '2001::1'],
    ...['2001:db8::1', '3fff::1', '2001:2::1', '2001:10::1', '4000::1', '5f00::1'],
  ])('that is not global unicast is rejected: %s', (address) => {
    expect(isPublic(address)).toBe(false);
    const host = address.includes(':') ? `[${address}]` : address;
    expect(urlProblem(`https://${host}/`, [])).toBe('must have a public IP address');
  });
});

describe('S26: the URL of a webhook', () => {
  const NETWORKS = ['10.1.0.0/16', '127.0.0.1', 'fd00::/8'];

  it.each([
    ...['https://shop.example/hook?x=1', 'https://shop.example:8443/', 'https://8.8.8.8/'],
    ...['https://[2606:4700::1111]/', 'https://shop.example./', 'https://xn--bcher-kva.example/'],
  ])('can be %s', (url) => {
    expect(urlProblem(url, [])).toBeNull();
  });

  it.each<[string, string]>([
    ['shop.example', 'must be a URL'],
    ['ftp://shop.example/', 'must start with https://'],
    ['http://shop.example/', 'must start with https://'],
    ['https://ada@shop.example/', 'must not contain a user name or password'],
    ['https://ada:pw@shop.example/', 'must not contain a user name or password'],
    ['https://shop.example:22/', 'must use port 443 or a port of 1024 or higher'],
    ['https://shop.example:80/', 'must use port 443 or a port of 1024 or higher'],
    ...['localhost', 'LOCALHOST.', 'a.localhost', 'db', 'printer.local', 'db.internal.'].map<
      [string, string]
    >((host) => [`https://${host}/`, 'must have a public host name']),
    // Other forms of 127.0.0.1 and 10.0.0.1.
    ...['2130706433', '0x7f.1', '0177.0.0.1', '127.1', '１２７.0.0.1', '10.0.0.1.', '%31%30.1'].map<
      [string, string]
    >((host) => [`https://${host}/`, 'must have a public IP address']),
  ])('is not %s: it %s', (url, reason) => {
    expect(urlProblem(url, [])).toBe(reason);
  });

  it.each([
    ['http://10.1.2.3/', null],
    ['http://10.1.2.3:8080/', null],
    ['https://127.0.0.1:80/', null],
    ['http://[fd00::1]/', null],
    ['http://orders.corp.example/', null],
    ['http://10.2.0.1/', 'must have a public IP address'],
    ['http://8.8.8.8/', 'must have a public IP address'],
    ['https://8.8.8.8:80/', 'must have a public IP address'],
    ['https://[::1]/', 'must have a public IP address'],
    ['http://localhost/', 'must have a public host name'],
  ])('with networks allowed by the operator: %s %s', (url, reason) => {
    expect(urlProblem(url, NETWORKS)).toBe(reason);
  });
});
