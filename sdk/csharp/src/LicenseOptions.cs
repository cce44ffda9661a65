using System;
using System.Collections.Generic;

namespace LicenseManagementClient
{
    /// <summary>Options of a <see cref="License"/>.</summary>
    public sealed class LicenseOptions
    {
        /// <summary>Address of the license service: https, or http on this machine.</summary>
        public string Service { get; set; }

        /// <summary><c>issuer</c> of <c>GET /signing-keys</c>.</summary>
        public string Issuer { get; set; }

        /// <summary>The project's product.</summary>
        public string Product { get; set; }

        /// <summary><c>current</c> and <c>next</c> of <c>GET /signing-keys</c>, each as its JSON text.</summary>
        public IReadOnlyList<string> Keys { get; set; } = new string[0];

        /// <summary>Absolute path of a folder that the program can write to and other users cannot read.</summary>
        public string Folder { get; set; }

        /// <summary>Optional: names this machine, 16 to 256 printable ASCII characters.</summary>
        public string Fingerprint { get; set; }

        /// <summary>Optional: the name that the vendor sees for this machine, 1 to 100 characters.</summary>
        public string MachineName { get; set; }

        /// <summary>
        /// Optional: the day on which this build is released, <c>YYYY-MM-DD</c>. The license must include updates until then.
        /// </summary>
        public string ReleasedAt { get; set; }

        /// <summary>Whether a machine without its own id may get a random one, which is stored in the folder.</summary>
        public bool AllowRandomId { get; set; } = true;

        /// <summary>Timeout of a request, from the DNS query to the last byte of the response: at most 10
        /// minutes.</summary>
        public TimeSpan Timeout { get; set; } = TimeSpan.FromSeconds(5);
    }
}
