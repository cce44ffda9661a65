package example.licenses.client;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.util.regex.Pattern;

/** Times as the service writes them. */
final class Timestamp {
    private static final Pattern TIME =
            Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z");
    private static final DateTimeFormatter STRICT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withResolverStyle(ResolverStyle.STRICT);

    private Timestamp() {}

    /** A time such as 2026-07-31T10:15:00.000Z; null for anything else. */
    static Instant parse(Object value) {
        if (!(value instanceof String text) || !TIME.matcher(text).matches()) return null;
        try {
            Instant time = LocalDateTime.parse(text, STRICT).toInstant(ZoneOffset.UTC);
            return text.startsWith("0000") ? null : time;
        } catch (DateTimeParseException exception) {
            return null;
        }
    }

    /** The start of a day in UTC, written as 2026-07-31; null for anything else. */
    static Instant parseDay(String text) {
        return parse(text + "T00:00:00.000Z");
    }
}
