// Runs the scenarios of docs/sdk/scenarios.md: one command per line on standard input, one result per line on standard output.
using System;
using System.Collections;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;
using System.Web.Script.Serialization;
using LicenseManagementClient;
using Members = System.Collections.Generic.Dictionary<string, object>;

internal static class ScenarioRunner
{
    private static readonly JavaScriptSerializer Json = new JavaScriptSerializer();
    private static License license;

    [DllImport("license_management_client", CallingConvention = CallingConvention.Cdecl)]
    private static extern void lmc_test_clock(double seconds);

    private static void Main()
    {
        var encoding = new UTF8Encoding(false);
        var input = new StreamReader(Console.OpenStandardInput(), encoding);
        var output = new StreamWriter(Console.OpenStandardOutput(), encoding) { AutoFlush = true };
        for (var line = input.ReadLine(); line != null; line = input.ReadLine())
        {
            output.WriteLine(Json.Serialize(Run(Json.Deserialize<Members>(line))));
        }
    }

    private static Members Run(Members command)
    {
        lmc_test_clock(Convert.ToDouble(command["now"]));
        try
        {
            return new Members { ["returns"] = Returned(command) };
        }
        catch (LicenseException error)
        {
            var thrown = new Members { ["code"] = error.Code, ["message"] = error.Message };
            thrown["retryAfter"] = error.RetryAfter?.TotalSeconds;
            return new Members { ["throws"] = thrown };
        }
    }

    private static object Returned(Members command)
    {
        if ((string)command["do"] == "start")
        {
            var started = new License(OptionsOf((Members)command["options"]));
            license?.Dispose();
            license = started;
            return null;
        }
        var argument = (string)Optional(command, "argument");
        switch ((string)command["method"])
        {
            case "status": return Described(license.Status());
            case "has": return license.Status().Has(argument);
            case "mayUpdateTo": return license.Status().MayUpdateTo(argument);
            case "ensure": return Described(license.Ensure(argument));
            case "activate": return Described(license.Activate(argument));
            case "refresh": return Described(license.Refresh());
            case "heartbeat": return Described(license.Heartbeat());
            case "release": return Described(license.Release());
            case "request": return license.Request();
            case "install": return Described(license.Install(argument));
            case "forget": license.Forget(); return null;
            default: throw new InvalidOperationException(Json.Serialize(command));
        }
    }

    private static LicenseOptions OptionsOf(Members options)
    {
        var given = new LicenseOptions
        {
            Service = (string)Optional(options, "service"),
            Issuer = (string)Optional(options, "issuer"),
            Product = (string)Optional(options, "product"),
            Keys = ((IEnumerable)options["keys"]).Cast<object>().Select(Json.Serialize).ToArray(),
            Folder = (string)Optional(options, "folder"),
            Fingerprint = (string)Optional(options, "fingerprint"),
            MachineName = (string)Optional(options, "machineName"),
            ReleasedAt = (string)Optional(options, "releasedAt"),
            AllowRandomId = (bool)(Optional(options, "allowRandomId") ?? true),
        };
        var timeout = Optional(options, "timeout");
        if (timeout != null) given.Timeout = TimeSpan.FromMilliseconds(Convert.ToDouble(timeout));
        return given;
    }

    private static object Optional(Members members, string name)
    {
        return members.TryGetValue(name, out var value) ? value : null;
    }

    private static Members Described(LicenseStatus status)
    {
        return new Members
        {
            ["state"] = status.State,
            ["isValid"] = status.IsValid,
            ["validUntil"] = Text(status.ValidUntil),
            ["expiresAt"] = Text(status.ExpiresAt),
            ["perpetual"] = status.Perpetual,
            ["updatesUntil"] = Text(status.UpdatesUntil),
            ["licensee"] = status.Licensee,
            ["plan"] = status.Plan,
            ["services"] = status.Services,
            ["entitlements"] = status.Entitlements,
            ["reason"] = status.Reason,
        };
    }

    private static string Text(DateTimeOffset? time)
    {
        return time?.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'");
    }
}
