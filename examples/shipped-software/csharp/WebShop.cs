// A licensed program. The environment stands in for constants: paste the response of GET /signing-keys into your source,
// because anyone who can change it at run time can license your software.
using System;
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
                // The certificate of each start is new, so a revocation arrives at the next one.
                license.Refresh();
                license.Ensure(Environment.GetEnvironmentVariable("KEY"));
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
            Console.WriteLine($"Licensed until {status.ValidUntil:yyyy-MM-dd'T'HH:mm:ss.fff'Z'} for {string.Join(" and ", status.Services)}.");
            return 0;
        }
    }
}
