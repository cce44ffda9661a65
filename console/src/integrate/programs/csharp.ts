import { pasted, type Program } from './program.js';

export const csharp: Program = {
  file: 'WebShop.cs',
  install: {
    details: 'Not on NuGet yet: build the shared library that it calls, and reference the project.',
    blocks: [
      {
        place: 'service',
        lines: [
          'cargo build --release --locked --package license-management-client-c --manifest-path sdk/Cargo.toml',
        ],
      },
      {
        place: 'app',
        lines: ['dotnet add reference "$CHECKOUT/sdk/csharp/LicenseManagementClient.csproj"'],
      },
    ],
  },
  source: String.raw`using System;
using LicenseManagementClient;

internal static class WebShop
{
    private static void Main()
    {
        var license = new License(new LicenseOptions
        {
            Service = "https://licenses.example",
            Product = "com.example.web-shop",
            Issuer = "ISSUER",
            Keys = new[]
            {
                "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"CURRENT\"}",
                "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"NEXT\"}",
            },
            Folder = "/var/lib/web-shop",
            MachineName = Environment.MachineName,
        });
        var status = license.Ensure(Environment.GetEnvironmentVariable("LICENSE_KEY"));
        if (!status.IsValid)
        {
            Console.Error.WriteLine("This program is not licensed: " + status.State);
            Environment.Exit(1);
        }
        using (license.KeepFresh(fresh => Console.WriteLine("License: " + fresh.State)))
        {
            Console.WriteLine(status.Perpetual ? "Licensed" : "Licensed until " + status.ExpiresAt);
        }
    }
}
`,
  fill: pasted,
};
