using System;

namespace LicenseManagementClient
{
    /// <summary>The license of one product on this machine. Its methods block. Any thread may call them.</summary>
    public sealed class License : IDisposable
    {
        private readonly LicenseHandle handle;

        /// <exception cref="LicenseException"><c>option</c> for an option that is wrong or missing; the message names
        /// it.</exception>
        public License(LicenseOptions options)
        {
            if (options == null) throw new ArgumentNullException(nameof(options));
            using (var native = new NativeOptions(options))
            {
                LicenseException.ThrowIfAny(Native.lmc_license_new(ref native.Value, out handle));
            }
        }

        /// <summary>Whether the program may run, according to the stored state. Uses no network and never fails.</summary>
        public LicenseStatus Status()
        {
            return LicenseStatus.Take(Native.lmc_license_status(handle));
        }

        /// <summary>
        /// Call this when the program starts. Does nothing if the license is valid. Otherwise it refreshes
        /// the license or extends its lease. If that does not help, it activates the key. Without a key or
        /// with a blank one, it activates nothing and does not throw.
        /// </summary>
        /// <exception cref="LicenseException">As <see cref="Activate"/>.</exception>
        public LicenseStatus Ensure(string key = null)
        {
            LicenseException.ThrowIfAny(Native.lmc_license_ensure(handle, Utf8.Encode(key), out var status));
            return LicenseStatus.Take(status);
        }

        /// <summary>
        /// Takes a free seat on the license for this machine unless it holds one, and stores the key and
        /// certificate. A different stored key is replaced only on success.
        /// </summary>
        /// <exception cref="LicenseException">
        /// <c>LICENSE_KEY_REQUIRED</c>, <c>folder</c>, <c>machine_id</c>, <c>revoked</c>, <c>expired</c>, <c>suspended</c>,
        /// <c>other_machine</c>, a reason of <see cref="Refresh"/>, or the service's own code, such as
        /// <c>MACHINE_LIMIT_REACHED</c>.
        /// </exception>
        public LicenseStatus Activate(string key)
        {
            LicenseException.ThrowIfAny(Native.lmc_license_activate(handle, Utf8.Encode(key), out var status));
            return LicenseStatus.Take(status);
        }

        /// <summary>
        /// Fetches a new certificate, or stores the service's rejection of the license. Never fails.
        /// Without a valid response, only the reason changes. Once a day is enough.
        /// </summary>
        public LicenseStatus Refresh()
        {
            return LicenseStatus.Take(Native.lmc_license_refresh(handle));
        }

        /// <summary>
        /// Refreshes on a thread, as often as the certificate requires, even after the machine has slept.
        /// For a floating license, sends heartbeats. Dispose the result to stop it, but not from within the
        /// callback.
        /// </summary>
        /// <param name="onChange">Called on that thread with the first status and whenever the state changes.</param>
        public IDisposable KeepFresh(Action<LicenseStatus> onChange = null)
        {
            return new FreshKeeper(handle, onChange);
        }

        /// <summary>
        /// For a floating license: extends this machine's lease or takes a free seat, and stores the new certificate.
        /// Three times per lease is enough.
        /// </summary>
        /// <exception cref="LicenseException">
        /// As <see cref="Activate"/>, or <c>LICENSE_HAS_NO_LEASES</c>, <c>LICENSE_NOT_ACTIVATED</c>.
        /// </exception>
        public LicenseStatus Heartbeat()
        {
            LicenseException.ThrowIfAny(Native.lmc_license_heartbeat(handle, out var status));
            return LicenseStatus.Take(status);
        }

        /// <summary>Releases this machine's seat and deletes the stored key and certificate.</summary>
        /// <exception cref="LicenseException">
        /// <c>LICENSE_KEY_REQUIRED</c>, <c>folder</c>, a reason of <see cref="Refresh"/>, or the service's own code, such as
        /// <c>RELEASE_NOT_ALLOWED</c>, <c>RELEASE_LIMIT_REACHED</c>, <c>CERTIFICATE_OUTSTANDING</c> or <c>MACHINE_NOT_FOUND</c>.
        /// </exception>
        public LicenseStatus Release()
        {
            LicenseException.ThrowIfAny(Native.lmc_license_release(handle, out var status));
            return LicenseStatus.Take(status);
        }

        /// <summary>For an offline machine: returns the JSON text that the vendor needs to issue a
        /// certificate.</summary>
        /// <exception cref="LicenseException"><c>machine_id</c> or <c>folder</c>.</exception>
        public string Request()
        {
            LicenseException.ThrowIfAny(Native.lmc_license_request(handle, out var request));
            try
            {
                return Utf8.Decode(request);
            }
            finally
            {
                Native.lmc_text_free(request);
            }
        }

        /// <summary>For an offline machine: stores the certificate that the vendor sent, even if a mail
        /// program has wrapped it.</summary>
        /// <exception cref="LicenseException">
        /// <c>folder</c>, <c>machine_id</c>, or the rule that it breaks: <c>format</c>, <c>header</c>, <c>key</c>,
        /// <c>signature</c>,
        /// <c>issuer</c>, <c>claims</c>, <c>product</c>, <c>machine</c>.
        /// </exception>
        public LicenseStatus Install(string certificate)
        {
            LicenseException.ThrowIfAny(Native.lmc_license_install(handle, Utf8.Encode(certificate), out var status));
            return LicenseStatus.Take(status);
        }

        /// <summary>Deletes the stored key and certificate. The license stays bound to this machine.</summary>
        /// <exception cref="LicenseException"><c>folder</c>.</exception>
        public void Forget()
        {
            LicenseException.ThrowIfAny(Native.lmc_license_forget(handle));
        }

        /// <summary>Frees the library's memory; the stored license stays.</summary>
        public void Dispose()
        {
            handle.Dispose();
        }
    }
}
