using System;
using System.Runtime.InteropServices;
using System.Text;

namespace LicenseManagementClient
{
    /// <summary>Texts of the library: UTF-8 that ends with a zero byte.</summary>
    internal static class Utf8
    {
        /// <summary>
        /// A text with a zero character becomes empty, which the library always rejects. Otherwise it would
        /// read only the beginning.
        /// </summary>
        public static byte[] Encode(string text)
        {
            if (text == null) return null;
            return Encoding.UTF8.GetBytes((text.IndexOf('\0') < 0 ? text : "") + "\0");
        }

        public static string Decode(IntPtr text)
        {
            if (text == IntPtr.Zero) return null;
            var length = 0;
            while (Marshal.ReadByte(text, length) != 0) length++;
            var bytes = new byte[length];
            Marshal.Copy(text, bytes, 0, length);
            return Encoding.UTF8.GetString(bytes);
        }
    }
}
