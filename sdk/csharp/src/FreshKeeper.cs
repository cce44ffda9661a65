using System;
using System.Threading;

namespace LicenseManagementClient
{
    internal sealed class FreshKeeper : IDisposable
    {
        // The library calls it until it is stopped.
        private readonly OnChange callback;
        private IntPtr pointer;

        public FreshKeeper(LicenseHandle license, Action<LicenseStatus> onChange)
        {
            callback = (context, status) =>
            {
                try
                {
                    onChange?.Invoke(LicenseStatus.Read(status));
                }
                catch (Exception)
                {
                    // Unwinding into the library is undefined.
                }
            };
            pointer = Native.lmc_license_keep_fresh(license, callback, IntPtr.Zero);
        }

        public void Dispose()
        {
            Native.lmc_keep_fresh_stop(Interlocked.Exchange(ref pointer, IntPtr.Zero));
            GC.KeepAlive(callback);
        }
    }
}
