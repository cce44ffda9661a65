using System;

namespace LicenseManagementClient
{
    /// <summary>A problem that the program or its user must fix, with an option, the folder, a response or
    /// a certificate.</summary>
    public sealed class LicenseException : Exception
    {
        private LicenseException(string code, string message, TimeSpan? retryAfter) : base(message)
        {
            Code = code;
            RetryAfter = retryAfter;
        }

        /// <summary>Stable, for programs. The message is for people, in English.</summary>
        public string Code { get; }

        /// <summary>How long to wait before the next attempt, if the service said so.</summary>
        public TimeSpan? RetryAfter { get; }

        /// <summary>Frees an error of the library, and throws it.</summary>
        internal static void ThrowIfAny(IntPtr error)
        {
            if (error == IntPtr.Zero) return;
            var code = Utf8.Decode(Native.lmc_error_code(error));
            var message = Utf8.Decode(Native.lmc_error_message(error));
            var seconds = Native.lmc_error_retry_after(error);
            Native.lmc_error_free(error);
            throw new LicenseException(code, message, seconds < 0 ? (TimeSpan?)null : TimeSpan.FromSeconds(seconds));
        }
    }
}
