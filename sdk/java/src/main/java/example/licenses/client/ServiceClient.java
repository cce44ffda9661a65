package example.licenses.client;

import example.licenses.client.Reply.Active;
import example.licenses.client.Reply.Failed;
import example.licenses.client.Reply.Leased;
import example.licenses.client.Reply.Machines;
import example.licenses.client.Reply.Pending;
import example.licenses.client.Reply.Rejected;
import example.licenses.client.Reply.Released;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.BiFunction;

/** Requests certificates and releases. */
final class ServiceClient {
    private static final Map<String, State> REJECTIONS = Map.of(
            "revoked", State.REVOKED,
            "expired", State.EXPIRED,
            "machine_mismatch", State.OTHER_MACHINE,
            "suspended", State.SUSPENDED,
            "lease_ended", State.LEASE_ENDED);
    /** Codes of rejected requests that stop the license. */
    private static final Map<String, State> REJECTION_CODES = Map.of(
            "LICENSE_REVOKED", State.REVOKED,
            "LICENSE_EXPIRED", State.EXPIRED,
            "LICENSE_ON_ANOTHER_MACHINE", State.OTHER_MACHINE,
            "LICENSE_SUSPENDED", State.SUSPENDED);
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Options options;

    ServiceClient(Options options) {
        this.options = options;
    }

    /** Validates the license. Activates it only if it is pending, such as after a backup was restored. */
    Reply refresh(String key, Program program) {
        Reply validation = validate(key, program);
        return validation instanceof Pending ? takeSeat("activate", key, program) : validation;
    }

    /** Validates the license. Activates it only if it has a free seat, because activations have a lower rate limit. */
    Reply activate(String key, Program program) {
        Reply validation = validate(key, program);
        if (validation instanceof Leased) return heartbeat(key, program);
        if (validation instanceof Pending) return takeSeat("activate", key, program);
        if (!(validation instanceof Rejected rejected)) return validation;
        Machines machines = rejected.machines();
        boolean hasFreeSeat = machines != null && machines.used() < machines.max();
        if (hasFreeSeat || rejected.rejection() == State.LEASE_ENDED) return takeSeat("activate", key, program);
        return machines == null ? rejected : new Failed("request_rejected", "MACHINE_LIMIT_REACHED", null, null, null);
    }

    Reply heartbeat(String key, Program program) {
        return takeSeat("heartbeat", key, program);
    }

    Reply release(String key, Program program) {
        return post("/release", key, program, new LinkedHashMap<>(), (body, nonce) -> isSuccess(body, new Released()));
    }

    private Reply validate(String key, Program program) {
        return post("", key, program, withNonce(), ServiceClient::interpretValidation);
    }

    private Reply takeSeat(String route, String key, Program program) {
        Map<String, Object> members = withNonce();
        if (options.machineName() != null) members.put("machineName", options.machineName());
        return post("/" + route, key, program, members,
                (body, nonce) -> isSuccess(body, interpretCertificate(body.get("certificate"))));
    }

    private static Map<String, Object> withNonce() {
        byte[] data = new byte[16];
        RANDOM.nextBytes(data);
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("certificate", true);
        members.put("nonce", Base64Url.encode(data));
        return members;
    }

    private static Reply isSuccess(Map<String, Object> body, Reply reply) {
        return Boolean.TRUE.equals(body.get("success")) ? reply : Failed.of("not_the_service");
    }

    private Reply post(
            String route, String key, Program program, Map<String, Object> members,
            BiFunction<Map<String, Object>, String, Reply> interpret) {
        members.put("key", key);
        members.put("fingerprint", program.fingerprint());
        members.put("product", program.product());
        String address = options.service() + "/validate" + route;
        Exchange exchange;
        try {
            exchange = Exchange.post(options.transport(), address, Json.write(members), options.timeout());
        } catch (Exchange.NoResponse none) {
            return new Failed(none.reason, null, null, null, none.getCause());
        }
        int status = exchange.status();
        if (status == 429) return new Failed("rate_limited", null, null, exchange.retryAfter(), null);
        // 511: the network requires the user to log in.
        if (status >= 500 && status < 600 && status != 511) {
            return new Failed("server_error", null, null, exchange.retryAfter(), null);
        }
        Map<String, Object> body = exchange.isDecidedByBody() ? Json.parseObject(exchange.body()) : null;
        if (body == null) return Failed.of("not_the_service");
        String nonce = String.valueOf(members.get("nonce"));
        return status == 200 ? interpret.apply(body, nonce) : interpretError(body, nonce);
    }

    private static Reply interpretValidation(Map<String, Object> body, String nonce) {
        String status = Json.asText(body.get("status"));
        Object certificate = body.get("certificate");
        if ("pending".equals(status)) return new Pending();
        if ("active".equals(status)) {
            boolean isLeased = certificate == null && body.get("leaseEndsAt") instanceof String;
            return isLeased ? new Leased() : interpretCertificate(certificate);
        }
        if ("invalid".equals(status)) return Failed.of("unknown_key");
        State rejection = status == null ? null : REJECTIONS.get(status);
        if (rejection == null) return Failed.of("not_the_service");
        Machines machines = rejection == State.OTHER_MACHINE ? toMachines(body.get("machines")) : null;
        return new Rejected(rejection, body.get("rejection"), nonce, machines, null, null, 0);
    }

    private static Reply interpretCertificate(Object certificate) {
        if (certificate == null) return Failed.of("no_certificate");
        return certificate instanceof String text ? new Active(text) : Failed.of("bad_certificate");
    }

    private static Reply interpretError(Map<String, Object> body, String nonce) {
        String code = Json.asText(body.get("code"));
        String message = Json.asText(body.get("message"));
        if ("LICENSE_NOT_FOUND".equals(code)) return Failed.of("unknown_key");
        State rejection = code == null ? null : REJECTION_CODES.get(code);
        if (rejection == null) return new Failed("request_rejected", code, message, null, null);
        boolean isOfService = rejection == State.SUSPENDED;
        return new Rejected(rejection, body.get("rejection"), nonce, null,
                isOfService ? code : null, isOfService ? message : null, 0);
    }

    private static Machines toMachines(Object value) {
        Map<String, Object> members = Json.asObject(value);
        if (members == null) return null;
        OptionalLong used = Json.asInteger(members.get("used"));
        OptionalLong max = Json.asInteger(members.get("max"));
        return used.isPresent() && max.isPresent() ? new Machines(used.getAsLong(), max.getAsLong()) : null;
    }
}
