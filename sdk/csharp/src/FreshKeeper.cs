using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace LicenseManagementClient
{
    internal sealed class FreshKeeper : IDisposable
    {
        private GCHandle callback;
        private IntPtr pointer;

        public FreshKeeper(LicenseHandle license, Action<LicenseStatus> onChange)
        {
            OnChange report = (context, status) =>
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
            // Keeps the callback alive, because the library calls it until it is stopped.
            callback = GCHandle.Alloc(report);
            pointer = Native.lmc_license_keep_fresh(license, report, IntPtr.Zero);
        }

        public void Dispose()
        {
            var running = Interlocked.Exchange(ref pointer, IntPtr.Zero);
            if (running == IntPtr.Zero) return;
            Native.lmc_keep_fresh_stop(running);
            callback.Free();
        }
    }
}
