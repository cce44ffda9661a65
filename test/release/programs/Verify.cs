using System;
using LicenseManagementClient;

internal static class Verify
{
    private static void Main(string[] args)
    {
        var options = new LicenseOptions
        {
            Service = "https://licenses.example",
            Issuer = args[1],
            Product = args[2],
            Keys = new[] { args[5], args[6] },
            Folder = args[0],
            Fingerprint = args[3],
        };
        using (var license = new License(options))
        {
            try
            {
                Console.WriteLine(license.Install(args[4]).State);
            }
            catch (LicenseException error)
            {
                Console.WriteLine(error.Code);
            }
        }
    }
}
