package example.licenses.client;

import java.util.Map;

/** The error messages, which are the same in each SDK. */
final class Messages {
    static final Map<String, String> CONTACT = Map.ofEntries(
            Map.entry("no_response", "The license service cannot be reached. Check the network connection."),
            Map.entry("untrusted_server",
                    "The identity of the license service cannot be verified. Check the clock and the network."),
            Map.entry("timeout", "The license service did not respond in time. Try again."),
            Map.entry("rate_limited", "Too many requests to the license service. Try again later."),
            Map.entry("server_error", "The license service cannot process requests at the moment. Try again later."),
            Map.entry("not_the_service",
                    "The response is not from the license service. Check whether the network requires you to log in."),
            Map.entry("unknown_key", "No license has this key. Compare it with the one your vendor sent you."),
            Map.entry("no_certificate", "The license service issued no certificate. Ask your vendor to update the service."),
            Map.entry("bad_certificate",
                    "The certificate from the license service cannot be verified. Update this program."),
            Map.entry("unproved",
                    "The response is not signed by the license service. Check the network connection."),
            Map.entry("request_rejected", "The license service rejected the request."),
            Map.entry("revoked", "The license has been revoked. Ask your vendor for a new license key."),
            Map.entry("expired", "The license has expired. Ask your vendor to renew it."),
            Map.entry("other_machine",
                    "The license is activated on another machine. Ask your vendor to reissue it."),
            Map.entry("suspended", "The license is suspended. Contact your vendor, then try again."),
            Map.entry("MACHINE_LIMIT_REACHED",
                    "The license is in use on as many machines as it allows. Release one of them."),
            Map.entry("lease_ended", "The lease of this machine has expired. Activate the license again."));

    static final Map<String, String> CERTIFICATE = Map.of(
            "format", "The certificate is incomplete or has been changed. Copy it again.",
            "header", "The text is not a license certificate.",
            "key", "The certificate is signed with a key that this version of the program does not know. Update the program.",
            "signature", "The certificate has been changed. Copy it again.",
            "issuer", "The certificate is from another vendor.",
            "claims", "The certificate is missing information. Ask your vendor for another one.",
            "product", "The certificate is for another product.",
            "machine", "The certificate is for another machine.");

    private Messages() {}
}
