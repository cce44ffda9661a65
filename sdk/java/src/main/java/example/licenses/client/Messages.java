package example.licenses.client;

import java.util.Map;

/** The messages of errors; the same in each SDK. */
final class Messages {
    static final Map<String, String> CONTACT = Map.ofEntries(
            Map.entry("no_response", "The license service cannot be reached: check the network connection."),
            Map.entry("untrusted_server",
                    "The identity of the license service cannot be verified: check the clock and the network."),
            Map.entry("timeout", "The license service did not respond in time: try again."),
            Map.entry("rate_limited", "Too many requests to the license service: try again later."),
            Map.entry("server_error", "The license service cannot process requests at the moment: try again later."),
            Map.entry("not_the_service",
                    "The response is not from the license service: check whether the network needs a login."),
            Map.entry("unknown_key", "No license has this key: compare it with the one your vendor sent you."),
            Map.entry("no_certificate", "The license service issued no certificate: ask your vendor to update it."),
            Map.entry("bad_certificate",
                    "The certificate from the license service cannot be verified: update this program."),
            Map.entry("unproved",
                    "The response is not signed by the license service: check the network connection."),
            Map.entry("request_rejected", "The license service rejected the request."),
            Map.entry("revoked", "The license has been revoked: ask your vendor for a new license key."),
            Map.entry("expired", "The license has expired: ask your vendor to renew it."),
            Map.entry("other_machine",
                    "The license is activated on another machine: ask your vendor to reissue it."),
            Map.entry("suspended", "The license is suspended: contact your vendor, then try again."),
            Map.entry("MACHINE_LIMIT_REACHED",
                    "The license is in use on as many machines as it allows: release one of them."),
            Map.entry("lease_ended", "The lease of this machine has ended: activate the license again."));

    static final Map<String, String> CERTIFICATE = Map.of(
            "format", "The certificate is incomplete or has been changed: copy it again.",
            "header", "The text is not a license certificate.",
            "key", "The certificate is signed with a key that this version of the program does not know.",
            "signature", "The certificate has been changed: copy it again.",
            "issuer", "The certificate is from another vendor.",
            "claims", "The certificate lacks information: ask your vendor for another one.",
            "product", "The certificate is for another product.",
            "machine", "The certificate is for another machine.");

    private Messages() {}
}
