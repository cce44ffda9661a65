package example.licenses.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import example.licenses.client.Program.Breach;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Texts mutated from the test vectors. The scenario runner gets every vector's verdict. */
class VectorsTest {
    /** How long to test the verifier with random texts, in seconds. */
    private static final int FUZZ_SECONDS = Integer.getInteger("fuzz.seconds", 1);
    private static final String ALPHABET = "ABCXYZabcxyz0189-_.=+/ \n\0\u00e4";

    private static List<Map<String, Object>> vectors() throws IOException, Json.Malformed {
        List<?> values = (List<?>) Json.parse(Files.readAllBytes(Path.of("../vectors.json"))).value();
        return values.stream().map(Json::asObject).toList();
    }

    private static Program program(Map<String, Object> vector) throws LicenseException {
        List<?> jwks = (List<?>) vector.get("keys");
        SigningKeys keys = new SigningKeys(jwks.stream().map(key -> Json.write(Json.asObject(key))).toList());
        return new Program(
                (String) vector.get("issuer"), (String) vector.get("product"), keys, (String) vector.get("fingerprint"),
                Timestamp.parseDay((String) vector.get("releasedAt")));
    }

    @Test
    void acceptsNoUnsignedText() throws IOException, Json.Malformed, LicenseException {
        List<Map<String, Object>> vectors = vectors();
        Program program = program(vectors.get(0));
        List<String> texts = vectors.stream().map(vector -> (String) vector.get("certificate")).toList();
        Set<String> signed = new HashSet<>();
        for (Map<String, Object> vector : vectors) {
            String text = (String) vector.get("certificate");
            if (Certificate.readOrNull(text, program(vector)) != null) signed.add(text);
        }
        forFuzzTime(random -> {
            String text = mutated(texts.get(random.nextInt(texts.size())), texts, random);
            assertTrue(Certificate.readOrNull(text, program) == null || signed.contains(text), text);
        });
    }

    /** Signed content, too, makes the verifier fail only in the documented ways. */
    @Test
    void readsAnyClaimsWithoutUnexpectedExceptions() throws IOException, Json.Malformed {
        List<String> payloads = new ArrayList<>();
        for (Map<String, Object> vector : vectors()) {
            String[] parts = ((String) vector.get("certificate")).split("\\.", -1);
            byte[] payload = parts.length == 3 ? Base64Url.decode(parts[1]) : null;
            if (payload != null) payloads.add(new String(payload, StandardCharsets.UTF_8));
        }
        forFuzzTime(random -> {
            String text = mutated(payloads.get(random.nextInt(payloads.size())), payloads, random);
            Map<String, Object> claims = Json.parseObject(text.getBytes(StandardCharsets.UTF_8));
            if (claims == null) return;
            try {
                Certificate.readClaims(claims).judge(null, 1.8e9, 0, true, null);
            } catch (Breach breach) {
                assertEquals("claims", breach.reason);
            }
        });
    }

    private interface Round {
        void run(Random random);
    }

    private static void forFuzzTime(Round round) {
        // Always the same texts in the same order.
        Random random = new Random(15);
        long end = System.nanoTime() + Duration.ofSeconds(FUZZ_SECONDS).toNanos();
        while (System.nanoTime() < end) round.run(random);
    }

    /** A text with some mutations: other characters, parts of other texts, omissions and repetitions. */
    private static String mutated(String text, List<String> others, Random random) {
        StringBuilder changed = new StringBuilder(text);
        for (int change = random.nextInt(3); change >= 0; change--) {
            int at = random.nextInt(changed.length() + 1);
            int end = Math.min(changed.length(), at + random.nextInt(9));
            String other = others.get(random.nextInt(others.size()));
            switch (random.nextInt(5)) {
                case 0 -> changed.insert(at, ALPHABET.charAt(random.nextInt(ALPHABET.length())));
                case 1 -> changed.delete(at, end);
                case 2 -> changed.insert(at, changed.substring(at, end));
                case 3 -> changed.replace(at, end, other.substring(0, Math.min(other.length(), end - at)));
                default -> changed.replace(at, changed.length(), other.substring(Math.min(at, other.length())));
            }
        }
        return changed.toString();
    }
}
