package example.licenses.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Runs the scenarios of docs/sdk/scenarios.md: one command per line of standard input, one result per line
 * of standard output.
 */
final class ScenarioRunner {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private License license;
    private double clock;

    private ScenarioRunner() {}

    public static void main(String[] args) throws IOException {
        ScenarioRunner runner = new ScenarioRunner();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            output.println(runner.run(Json.parseObject(line.getBytes(StandardCharsets.UTF_8))));
        }
    }

    private String run(Map<String, Object> command) {
        clock = (Double) command.get("now");
        try {
            return "{\"returns\":" + call(command) + "}";
        } catch (LicenseException exception) {
            String seconds = exception.retryAfter().map(Duration::toSeconds).map(String::valueOf).orElse("null");
            return "{\"throws\":{\"code\":" + Json.quote(exception.code()) + ",\"message\":"
                    + Json.quote(exception.getMessage()) + ",\"retryAfter\":" + seconds + "}}";
        }
    }

    private String call(Map<String, Object> command) throws LicenseException {
        if (command.get("do").equals("start")) {
            license = start(Json.asObject(command.get("options")));
            return "null";
        }
        String method = (String) command.get("method");
        String argument = (String) command.get("argument");
        switch (method) {
            case "status":
                return json(license.status());
            case "refresh":
                return json(license.refresh());
            case "ensure":
                return json(license.ensure(argument));
            case "activate":
                return json(license.activate(argument));
            case "heartbeat":
                return json(license.heartbeat());
            case "release":
                return json(license.release());
            case "install":
                return json(license.install(argument));
            case "request":
                return Json.quote(license.request());
            case "has":
                return String.valueOf(license.status().has(argument));
            case "mayUpdateTo":
                return String.valueOf(license.status().mayUpdateTo(argument));
            case "forget":
                license.forget();
                return "null";
            default:
                throw new IllegalArgumentException("There is no method " + method + ".");
        }
    }

    private License start(Map<String, Object> options) throws LicenseException {
        List<?> keys = (List<?>) options.get("keys");
        return License.builder()
                .service((String) options.get("service"))
                .issuer((String) options.get("issuer"))
                .product((String) options.get("product"))
                .keys(keys.stream().map(key -> Json.write(Json.asObject(key))).toArray(String[]::new))
                .folder(path((String) options.get("folder")))
                .fingerprint((String) options.get("fingerprint"))
                .machineName((String) options.get("machineName"))
                .allowRandomId((Boolean) options.getOrDefault("allowRandomId", true))
                .releasedAt((String) options.get("releasedAt"))
                .timeout(Duration.ofMillis(((Double) options.getOrDefault("timeout", 5000.0)).longValue()))
                .now(() -> clock)
                .build();
    }

    /** Null for a text that Java rejects as a path. */
    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException exception) {
            return null;
        }
    }

    private static String json(Status status) {
        return "{\"state\":" + json(status.state().code()) + ",\"isValid\":" + status.isValid()
                + ",\"validUntil\":" + json(status.validUntil()) + ",\"expiresAt\":" + json(status.expiresAt())
                + ",\"perpetual\":" + status.perpetual() + ",\"updatesUntil\":" + json(status.updatesUntil())
                + ",\"licensee\":" + json(status.licensee()) + ",\"plan\":" + json(status.plan())
                + ",\"services\":" + json(status.services()) + ",\"entitlements\":" + json(status.entitlements())
                + ",\"reason\":" + json(status.reason()) + "}";
    }

    private static String json(String text) {
        return text == null ? "null" : Json.quote(text);
    }

    private static String json(Instant time) {
        return time == null ? "null" : Json.quote(TIME.format(time));
    }

    private static String json(List<String> texts) {
        return texts.stream().map(Json::quote).collect(Collectors.joining(",", "[", "]"));
    }
}
