using System;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace LicenseManagementClient
{
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    internal delegate void OnChange(IntPtr context, IntPtr status);

    /// <summary>A license of the library, which is freed once no call uses it.</summary>
    internal sealed class LicenseHandle : SafeHandleZeroOrMinusOneIsInvalid
    {
        private LicenseHandle() : base(true)
        {
        }

        protected override bool ReleaseHandle()
        {
            Native.lmc_license_free(handle);
            return true;
        }
    }

    /// <summary>The functions of <c>license_management_client.h</c>.</summary>
    internal static class Native
    {
        private const string Library = "license_management_client";
        private const CallingConvention C = CallingConvention.Cdecl;

        [StructLayout(LayoutKind.Sequential)]
        public struct Options
        {
            public UIntPtr Size;
            public IntPtr Service;
            public IntPtr Issuer;
            public IntPtr Product;
            public IntPtr Keys;
            public UIntPtr KeyCount;
            public IntPtr Folder;
            public IntPtr Fingerprint;
            public IntPtr MachineName;
            public IntPtr ReleasedAt;
            public uint TimeoutMs;
            public byte ForbidRandomId;
        }

        [DllImport(Library, CallingConvention = C)]
        public static extern IntPtr lmc_license_new(ref Options options, out LicenseHandle license);

        [DllImport(Library, CallingConvention = C)]
        public static extern void lmc_license_free(IntPtr license);

        [DllImport(Library, CallingConvention = C)]
        public static extern IntPtr lmc_license_status(LicenseHandle license);

        [DllImport(Library, CallingConvention = C)]
        public static extern IntPtr lmc_license_refresh(LicenseHandle license);

        [DllImport(Library, CallingConvention = C)]
        public static extern IntPtr lmc_license_ensure(LicenseHandle license, byte[] key, out IntPtr status);

        [DllImport(Library, CallingConvention = C)]
        public static extern IntPtr lmc_license_activate(LicenseHandle license, byte[] key, out IntPtr status);

        [DllImport(Library, CallingConvention = C)]
        public static extern IntPtr lmc_license_heartbeat(LicenseHandle license, out IntPtr status);

        [DllImport(Library, CallingConvention = C)]
        public static extern IntPtr lmc_license_release(LicenseHandle license, out IntPtr status);

        [DllImport(Library, CallingConvention = C)]
        public static extern IntPtr lmc_license_request(LicenseHandle license, out IntPtr request);

        [DllImport(Library, CallingConvention = C)]
        public static extern IntPtr lmc_license_install(LicenseHandle license, byte[] certificate, out IntPtr status);

        [DllImport(Library, CallingConvention = C)]
        public static extern IntPtr lmc_license_forget(LicenseHandle license);

        [DllImport(Library, CallingConvention = C)]
        public static extern IntPtr lmc_license_keep_fresh(LicenseHandle license, OnChange onChange, IntPtr context);

        [DllImport(Library, CallingConvention = C)]
        public static extern void lmc_keep_fresh_stop(IntPtr keepFresh);

        [DllImport(Library, CallingConvention = C)]
        public static extern IntPtr lmc_status_state(IntPtr status);

        [DllImport(Library, CallingConvention = C)]
        public static extern IntPtr lmc_status_reason(IntPtr status);

        [DllImport(Library, CallingConvention = C)]
        public static extern IntPtr lmc_status_valid_until(IntPtr status);

        [DllImport(Library, CallingConvention = C)]
        public static extern long lmc_status_valid_until_ms(IntPtr status);

        [DllImport(Library, CallingConvention = C)]
        public static extern IntPtr lmc_status_expires_at(IntPtr status);

        [DllImport(Library, CallingConvention = C)]
        public static extern long lmc_status_expires_at_ms(IntPtr status);

        [DllImport(Library, CallingConvention = C)]
        public static extern IntPtr lmc_status_updates_until(IntPtr status);

        [DllImport(Library, CallingConvention = C)]
        public static extern long lmc_status_updates_until_ms(IntPtr status);

        [DllImport(Library, CallingConvention = C)]
        public static extern byte lmc_status_perpetual(IntPtr status);

        [DllImport(Library, CallingConvention = C)]
        public static extern IntPtr lmc_status_licensee(IntPtr status);

        [DllImport(Library, CallingConvention = C)]
        public static extern IntPtr lmc_status_plan(IntPtr status);

        [DllImport(Library, CallingConvention = C)]
        public static extern UIntPtr lmc_status_service_count(IntPtr status);

        [DllImport(Library, CallingConvention = C)]
        public static extern IntPtr lmc_status_service(IntPtr status, UIntPtr index);

        [DllImport(Library, CallingConvention = C)]
        public static extern UIntPtr lmc_status_entitlement_count(IntPtr status);

        [DllImport(Library, CallingConvention = C)]
        public static extern IntPtr lmc_status_entitlement(IntPtr status, UIntPtr index);

        [DllImport(Library, CallingConvention = C)]
        public static extern void lmc_status_free(IntPtr status);

        [DllImport(Library, CallingConvention = C)]
        public static extern IntPtr lmc_error_code(IntPtr error);

        [DllImport(Library, CallingConvention = C)]
        public static extern IntPtr lmc_error_message(IntPtr error);

        [DllImport(Library, CallingConvention = C)]
        public static extern long lmc_error_retry_after(IntPtr error);

        [DllImport(Library, CallingConvention = C)]
        public static extern void lmc_error_free(IntPtr error);

        [DllImport(Library, CallingConvention = C)]
        public static extern void lmc_text_free(IntPtr text);
    }
}
