package example.licenses.client;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * JSON as defined in docs/guides/certificates.md: RFC 8259 in UTF-8, at most 64 levels, no lone surrogate.
 * A value is a Map, a List, a String, a Double, a Boolean or null. If a member is repeated, the last one
 * counts.
 */
final class Json {
    private static final int MAX_DEPTH = 64;
    private static final long MAX_SAFE_INTEGER = (1L << 53) - 1;
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
    private static final Pattern HEXADECIMAL = Pattern.compile("[0-9A-Fa-f]{4}");
    private static final String ESCAPES = "\"\\/bfnrt";
    private static final String ESCAPED = "\"\\/\b\f\n\r\t";

    /** The text is not such JSON. */
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;
    }

    /**
     * @param value the value of the whole text
     * @param isRepeated whether the value is an object with a repeated member
     */
    record Parsed(Object value, boolean isRepeated) {}

    private final String text;
    private int at;
    private int depth;
    private boolean isRepeated;

    private Json(String text) {
        this.text = text;
    }

    static Parsed parse(byte[] data) throws Malformed {
        try {
            Json json = new Json(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(data)).toString());
            Object value = json.value();
            json.require(json.at == json.text.length());
            return new Parsed(value, json.isRepeated);
        } catch (CharacterCodingException exception) {
            throw new Malformed();
        }
    }

    /** The members of an object; null for anything else. */
    static Map<String, Object> parseObject(byte[] data) {
        try {
            return asObject(parse(data).value());
        } catch (Malformed malformed) {
            return null;
        }
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> asObject(Object value) {
        return value instanceof Map ? (Map<String, Object>) value : null;
    }

    /** The text, or null for anything else. */
    static String asText(Object value) {
        return value instanceof String text ? text : null;
    }

    /** The texts in an array; null for anything else. */
    static List<String> asTexts(Object value) {
        if (!(value instanceof List<?> list) || !list.stream().allMatch(String.class::isInstance)) return null;
        return list.stream().map(String.class::cast).toList();
    }

    /** The integer from 0 to 2^53 - 1 that a number such as 1.8e9 represents. */
    static OptionalLong asInteger(Object value) {
        if (!(value instanceof Double number) || number != Math.rint(number)) return OptionalLong.empty();
        return number >= 0 && number <= MAX_SAFE_INTEGER ? OptionalLong.of(number.longValue()) : OptionalLong.empty();
    }

    /** The JSON of an object with texts, integers, booleans and nulls. */
    static String write(Map<String, ?> members) {
        StringBuilder json = new StringBuilder("{");
        members.forEach((name, value) -> {
            json.append(json.length() > 1 ? "," : "").append(quote(name)).append(':');
            json.append(value instanceof String text ? quote(text) : String.valueOf(value));
        });
        return json.append('}').toString();
    }

    static String quote(String text) {
        StringBuilder json = new StringBuilder("\"");
        text.chars().forEach(unit -> {
            if (unit == '"' || unit == '\\') json.append('\\').append((char) unit);
            else if (unit < ' ') json.append(String.format("\\u%04x", unit));
            else json.append((char) unit);
        });
        return json.append('"').toString();
    }

    private Object value() throws Malformed {
        skipWhitespace();
        Object value = switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> literal("true", true);
            case 'f' -> literal("false", false);
            case 'n' -> literal("null", null);
            default -> number();
        };
        skipWhitespace();
        return value;
    }

    private Map<String, Object> object() throws Malformed {
        Map<String, Object> members = new LinkedHashMap<>();
        enter();
        if (peek() != '}') {
            do {
                skipWhitespace();
                String name = string();
                skipWhitespace();
                require(take(':'));
                isRepeated |= depth == 1 && members.containsKey(name);
                members.put(name, value());
            } while (take(','));
        }
        leave('}');
        return members;
    }

    private List<Object> array() throws Malformed {
        List<Object> values = new ArrayList<>();
        enter();
        if (peek() != ']') {
            do {
                values.add(value());
            } while (take(','));
        }
        leave(']');
        return values;
    }

    private void enter() throws Malformed {
        at++;
        depth++;
        require(depth <= MAX_DEPTH);
        skipWhitespace();
    }

    private void leave(char bracket) throws Malformed {
        require(take(bracket));
        depth--;
    }

    private String string() throws Malformed {
        require(take('"'));
        StringBuilder value = new StringBuilder();
        while (!take('"')) {
            char unit = next();
            require(unit >= ' ');
            value.append(unit == '\\' ? escape() : unit);
        }
        // Only escapes can be lone surrogates, because the text is UTF-8.
        require(value.codePoints().noneMatch(point -> point >= 0xd800 && point <= 0xdfff));
        return value.toString();
    }

    private char escape() throws Malformed {
        char letter = next();
        if (letter == 'u') {
            require(at + 4 <= text.length() && HEXADECIMAL.matcher(text).region(at, at + 4).matches());
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        }
        int index = ESCAPES.indexOf(letter);
        require(index >= 0);
        return ESCAPED.charAt(index);
    }

    private Object literal(String name, Object value) throws Malformed {
        require(text.startsWith(name, at));
        at += name.length();
        return value;
    }

    private Double number() throws Malformed {
        Matcher matcher = NUMBER.matcher(text).region(at, text.length());
        require(matcher.lookingAt());
        at = matcher.end();
        // The nearest double; infinite if beyond the range of doubles.
        return Double.valueOf(matcher.group());
    }

    private void skipWhitespace() {
        while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) at++;
    }

    private char peek() {
        return at < text.length() ? text.charAt(at) : '\0';
    }

    private char next() throws Malformed {
        require(at < text.length());
        return text.charAt(at++);
    }

    private boolean take(char expected) {
        boolean isThere = at < text.length() && text.charAt(at) == expected;
        if (isThere) at++;
        return isThere;
    }

    private void require(boolean isRight) throws Malformed {
        if (!isRight) throw new Malformed();
    }
}
