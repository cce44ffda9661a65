import { asJson, common, type Program } from './program.js';

export const python: Program = {
  file: 'web_shop.py',
  install: {
    details: 'Not on PyPI yet: install it from the service repository.',
    blocks: [
      {
        place: 'app',
        lines: ['pip install "$CHECKOUT/sdk/python"'],
      },
    ],
  },
  source: `import os, socket, sys
from license_management_client import License
license = License(service="https://licenses.example", product="com.example.web-shop",
                  issuer=SIGNING_KEYS["issuer"], keys=[SIGNING_KEYS["current"], SIGNING_KEYS["next"]],
                  folder="/var/lib/web-shop", machine_name=socket.gethostname())
status = license.ensure(os.environ.get("LICENSE_KEY"))
if not status.is_valid:
    sys.exit(f"This program is not licensed: {status.state}")
print("Licensed" if status.perpetual else f"Licensed until {status.expires_at:%Y-%m-%d %H:%M} UTC")
`,
  fill: (values) => [
    ...common(values),
    ['license = License(', `SIGNING_KEYS = ${asJson(values)}\nlicense = License(`],
  ],
};
