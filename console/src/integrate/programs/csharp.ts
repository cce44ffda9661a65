import { keyLiteral, literal, type Program } from './program.js';

const variable = (name: string) => `Environment.GetEnvironmentVariable("${name}")`;

export const csharp: Program = {
  file: 'WebShop.cs',
  install: {
    details:
      'The package is in no registry yet. Add the project, and build the shared library that it calls.',
    lines: [
      'dotnet add reference license-management-service/sdk/csharp/LicenseManagementClient.csproj',
      'cargo build --release --locked --package license-management-client-c --manifest-path license-management-service/sdk/Cargo.toml',
    ],
  },
  source: `using System;
using LicenseManagementClient;

internal static class WebShop
{
    private static int Main()
    {
        var options = new LicenseOptions
        {
            Service = Environment.GetEnvironmentVariable("SERVICE"),
            Issuer = Environment.GetEnvironmentVariable("ISSUER"),
            Product = "com.example.web-shop",
            Keys = new[] { Environment.GetEnvironmentVariable("CURRENT_KEY"), Environment.GetEnvironmentVariable("NEXT_KEY") },
            Folder = Environment.GetEnvironmentVariable("FOLDER"),
        };
        using (var license = new License(options))
        {
            try
            {
                // Without a stored key it sends nothing.
                if (!license.Refresh().IsValid) license.Activate(Environment.GetEnvironmentVariable("KEY"));
            }
            catch (LicenseException error)
            {
                Console.Error.WriteLine(error.Message);
            }

            var status = license.Status();
            if (!status.IsValid)
            {
                Console.Error.WriteLine($"Not licensed: {status.State} ({status.Reason ?? "no reason"}).");
                return 1;
            }
            Console.WriteLine($"Licensed until {status.Until:yyyy-MM-dd'T'HH:mm:ss.fff'Z'} for {string.Join(" and ", status.Services)}.");
            return 0;
        }
    }
}
`,
  fill: (values) => [
    [variable('SERVICE'), literal(values.service)],
    [variable('ISSUER'), literal(values.issuer)],
    ['"com.example.web-shop"', literal(values.product)],
    [
      `{ ${variable('CURRENT_KEY')}, ${variable('NEXT_KEY')} }`,
      `{\n                ${keyLiteral(values.current)},\n                ${keyLiteral(values.next)},\n            }`,
    ],
    [variable('FOLDER'), literal(values.folder)],
    [variable('KEY'), variable('LICENSE_KEY')],
  ],
};
