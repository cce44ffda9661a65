// Keeps a license fresh whose service is unreachable, and stops after the first status. Prints its state.
// Arguments: folder, issuer, product, key, fingerprint.
using System;
using System.Collections.Concurrent;
using LicenseManagementClient;

internal static class KeepFreshTest
{
    private static void Main(string[] arguments)
    {
        var options = new LicenseOptions
        {
            // Nothing listens on port 2.
            Service = "http://127.0.0.1:2",
            Folder = arguments[0],
            Issuer = arguments[1],
            Product = arguments[2],
            Keys = new[] { arguments[3] },
            Fingerprint = arguments[4],
        };
        var states = new BlockingCollection<string>();
        using (var license = new License(options))
        using (license.KeepFresh(status => throw new InvalidOperationException("ignored by the library")))
        using (license.KeepFresh(status => states.Add(status.State)))
        {
            Console.WriteLine(states.Take());
        }
    }
}
