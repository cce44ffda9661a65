using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace LicenseManagementClient
{
    /// <summary>Whether the program is licensed, and the terms of its license.</summary>
    public sealed class LicenseStatus
    {
        private LicenseStatus(IntPtr status)
        {
            State = Utf8.Decode(Native.lmc_status_state(status));
            Reason = Utf8.Decode(Native.lmc_status_reason(status));
            ValidUntil = Time(Native.lmc_status_valid_until(status), Native.lmc_status_valid_until_ms(status));
            ExpiresAt = Time(Native.lmc_status_expires_at(status), Native.lmc_status_expires_at_ms(status));
            Perpetual = Native.lmc_status_perpetual(status) != 0;
            UpdatesUntil = Time(Native.lmc_status_updates_until(status), Native.lmc_status_updates_until_ms(status));
            Licensee = Utf8.Decode(Native.lmc_status_licensee(status));
            Plan = Utf8.Decode(Native.lmc_status_plan(status));
            Services = Texts(status, Native.lmc_status_service_count(status), Native.lmc_status_service);
            Entitlements = Texts(status, Native.lmc_status_entitlement_count(status), Native.lmc_status_entitlement);
        }

        /// <summary><c>valid</c>, or why not: a stable code.</summary>
        public string State { get; }

        /// <summary>Whether the program may run.</summary>
        public bool IsValid => State == "valid";

        /// <summary>
        /// When the certificate or its license expires, whichever comes first. When it ended if the state is
        /// <c>ended</c> or
        /// <c>expired</c>; null in every other state except <c>valid</c>.
        /// </summary>
        public DateTimeOffset? ValidUntil { get; }

        /// <summary>When the license expires; null if it is perpetual, or if there is no certificate for
        /// this program and machine.</summary>
        public DateTimeOffset? ExpiresAt { get; }

        /// <summary>Whether the license is perpetual.</summary>
        public bool Perpetual { get; }

        /// <summary>The license covers builds released by then; null if it covers all builds.</summary>
        public DateTimeOffset? UpdatesUntil { get; }

        /// <summary>The name of your customer; null if the certificate has none.</summary>
        public string Licensee { get; }

        /// <summary>The name of the plan; null if there is none.</summary>
        public string Plan { get; }

        /// <summary>The services of the license; empty unless it is valid.</summary>
        public IReadOnlyList<string> Services { get; }

        /// <summary>The entitlements of the license; empty unless it is valid.</summary>
        public IReadOnlyList<string> Entitlements { get; }

        /// <summary>A stable code for the cause of the state, or for why the last request changed nothing;
        /// may be null.</summary>
        public string Reason { get; }

        /// <summary>Whether the license is valid and includes this entitlement.</summary>
        public bool Has(string entitlement)
        {
            return Entitlements.Contains(entitlement);
        }

        /// <summary>
        /// Whether a build that is released on this day, <c>YYYY-MM-DD</c>, may run with this license. False unless the state is
        /// <c>valid</c> or <c>update_not_covered</c>, and for a text that is not a day.
        /// </summary>
        public bool MayUpdateTo(string day)
        {
            const DateTimeStyles Utc = DateTimeStyles.AssumeUniversal;
            var isDay = DateTimeOffset.TryParseExact(day, "yyyy-MM-dd", CultureInfo.InvariantCulture, Utc, out var releasedAt);
            var mayRun = IsValid || State == "update_not_covered";
            return mayRun && isDay && (UpdatesUntil == null || releasedAt <= UpdatesUntil);
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

        private static DateTimeOffset? Time(IntPtr text, long milliseconds)
        {
            return text == IntPtr.Zero ? (DateTimeOffset?)null : DateTimeOffset.FromUnixTimeMilliseconds(milliseconds);
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
