using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.InteropServices;

namespace LicenseManagementClient
{
    /// <summary>Options in the layout that the library reads, in memory that is freed on disposal.</summary>
    internal sealed class NativeOptions : IDisposable
    {
        public Native.Options Value;
        private readonly List<IntPtr> allocated = new List<IntPtr>();

        public NativeOptions(LicenseOptions options)
        {
            var keys = (options.Keys ?? new string[0]).Select(Allocate).ToArray();
            Value.Size = new UIntPtr((uint)Marshal.SizeOf<Native.Options>());
            Value.Service = Allocate(options.Service);
            Value.Issuer = Allocate(options.Issuer);
            Value.Product = Allocate(options.Product);
            Value.Keys = Allocate(IntPtr.Size * keys.Length);
            Marshal.Copy(keys, 0, Value.Keys, keys.Length);
            Value.KeyCount = new UIntPtr((uint)keys.Length);
            Value.Folder = Allocate(options.Folder);
            Value.Fingerprint = Allocate(options.Fingerprint);
            Value.MachineName = Allocate(options.MachineName);
            Value.ReleasedAt = Allocate(options.ReleasedAt);
            Value.TimeoutMs = Milliseconds(options.Timeout);
            Value.ForbidRandomId = options.AllowRandomId ? (byte)0 : (byte)1;
        }

        public void Dispose()
        {
            allocated.ForEach(Marshal.FreeHGlobal);
            allocated.Clear();
        }

        /// <summary>For a timeout out of range, a value that the library also rejects, because 0 would mean
        /// the default.</summary>
        private static uint Milliseconds(TimeSpan timeout)
        {
            var milliseconds = Math.Ceiling(timeout.TotalMilliseconds);
            return milliseconds >= 1 && milliseconds <= uint.MaxValue ? (uint)milliseconds : uint.MaxValue;
        }

        private IntPtr Allocate(string text)
        {
            var bytes = Utf8.Encode(text);
            if (bytes == null) return IntPtr.Zero;
            var pointer = Allocate(bytes.Length);
            Marshal.Copy(bytes, 0, pointer, bytes.Length);
            return pointer;
        }

        private IntPtr Allocate(int size)
        {
            var pointer = Marshal.AllocHGlobal(Math.Max(size, 1));
            allocated.Add(pointer);
            return pointer;
        }
    }
}
