import { programName } from '../../console/src/account/program-name.js';

/** The header `User-Agent` of a session, by the name of its program. */
const USER_AGENTS = {
  'Edge on Windows':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
  'Safari on iPhone':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  'Chrome on Android':
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  'Firefox on macOS':
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0',
  'curl/8.5.0': 'curl/8.5.0',
};

it.each(Object.entries(USER_AGENTS))('The program of a session is named %s', (name, userAgent) => {
  expect(programName(userAgent)).toBe(name);
});
