using System;
using System.Collections.Generic;
using System.Linq;

namespace LicenseManagementClient
{
    /// <summary>Whether the program is licensed.</summary>
    public sealed class LicenseStatus
    {
        private LicenseStatus(IntPtr status)
        {
            State = Utf8.Decode(Native.lmc_status_state(status));
            Reason = Utf8.Decode(Native.lmc_status_reason(status));
            if (Native.lmc_status_until(status) != IntPtr.Zero)
            {
                Until = DateTimeOffset.FromUnixTimeMilliseconds(Native.lmc_status_until_ms(status));
            }
            Services = Texts(status, Native.lmc_status_service_count(status), Native.lmc_status_service);
            Entitlements = Texts(status, Native.lmc_status_entitlement_count(status), Native.lmc_status_entitlement);
        }

        /// <summary><c>valid</c>, or why not: a stable code.</summary>
        public string State { get; }

        /// <summary>Whether the program may run.</summary>
        public bool IsValid => State == "valid";

        /// <summary>
        /// The end of the certificate or of its license, whichever is earlier; null unless the certificate is good but for its end.
        /// </summary>
        public DateTimeOffset? Until { get; }

        /// <summary>The services of the license if it is valid, otherwise empty.</summary>
        public IReadOnlyList<string> Services { get; }

        /// <summary>The entitlements of the license if it is valid, otherwise empty.</summary>
        public IReadOnlyList<string> Entitlements { get; }

        /// <summary>A stable code that explains the state, or why the last request changed nothing; or null.</summary>
        public string Reason { get; }

        /// <summary>Whether the license is valid and includes this entitlement.</summary>
        public bool Has(string entitlement)
        {
            return Entitlements.Contains(entitlement);
        }

        internal static LicenseStatus Read(IntPtr status)
        {
            return new LicenseStatus(status);
        }

        /// <summary>Reads and frees a status of the library.</summary>
        internal static LicenseStatus Take(IntPtr status)
        {
            try
            {
                return Read(status);
            }
            finally
            {
                Native.lmc_status_free(status);
            }
        }

        private static IReadOnlyList<string> Texts(IntPtr status, UIntPtr count, Func<IntPtr, UIntPtr, IntPtr> read)
        {
            var texts = new string[(int)count];
            for (var index = 0; index < texts.Length; index++)
            {
                texts[index] = Utf8.Decode(read(status, new UIntPtr((uint)index)));
            }
            return texts;
        }
    }
}
