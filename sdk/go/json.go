package licenseclient

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"unicode/utf8"
)

const (
	maxSafeInteger = 1<<53 - 1
	maxDepth       = 64
)

var errNotJSON = errors.New("not JSON")

// parseJSON parses JSON as defined in docs/guides/certificates.md: encoding/json accepts invalid UTF-8,
// lone surrogates and deeper nesting. Numbers are of type json.Number. If a member is repeated, the last
// one counts.
func parseJSON(data []byte) (any, error) {
	if !utf8.Valid(data) || !json.Valid(data) || !isPortable(data) {
		return nil, errNotJSON
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	// A number beyond the range of doubles is also valid JSON.
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, errNotJSON
	}
	return value, nil
}

func parseObject(data []byte) (map[string]any, error) {
	value, err := parseJSON(data)
	if err != nil {
		return nil, err
	}
	object, _ := value.(map[string]any)
	return object, nil
}

// countMembers counts the members of an object, including repeated ones. The data must be valid JSON.
func countMembers(data []byte) int {
	decoder := json.NewDecoder(bytes.NewReader(data))
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') {
		return 0
	}
	count := 0
	for ; decoder.More(); count++ {
		var value json.RawMessage
		if _, err := decoder.Token(); err != nil || decoder.Decode(&value) != nil {
			return 0
		}
	}
	return count
}

// isPortable checks the nesting and surrogates of text that is otherwise JSON.
func isPortable(data []byte) bool {
	depth, inText := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '"':
			inText = !inText
		case inText && c == '\\':
			length := escapeLength(data[i:])
			if length == 0 {
				return false
			}
			i += length - 1
		case inText:
		case c == '[' || c == '{':
			if depth++; depth > maxDepth {
				return false
			}
		case c == ']' || c == '}':
			depth--
		}
	}
	return true
}

// escapeLength is the length of the escape sequence at the start of the data: both escapes of a surrogate
// pair, or 0 for a lone surrogate.
func escapeLength(data []byte) int {
	unit := escapedUnit(data)
	switch {
	case unit < 0:
		return len(`\n`)
	case unit < 0xd800 || unit > 0xdfff:
		return len(`\u0000`)
	}
	following := escapedUnit(data[len(`\u0000`):])
	if unit > 0xdbff || following < 0xdc00 || following > 0xdfff {
		return 0
	}
	return len(`\u0000\u0000`)
}

// escapedUnit is the UTF-16 code unit of an escape such as \u00e4, or -1 for anything else.
func escapedUnit(data []byte) int64 {
	if len(data) < len(`\u0000`) || data[0] != '\\' || data[1] != 'u' {
		return -1
	}
	unit, err := strconv.ParseInt(string(data[2:6]), 16, 32)
	if err != nil {
		return -1
	}
	return unit
}

// toInteger returns the integer from 0 to 2^53 - 1 that a JSON number such as 1.8e9 stands for.
func toInteger(value any) (int64, bool) {
	number, isNumber := value.(json.Number)
	if !isNumber {
		return 0, false
	}
	// Infinite if beyond the range of doubles.
	nearest, _ := strconv.ParseFloat(string(number), 64)
	if nearest != math.Trunc(nearest) || nearest < 0 || nearest > maxSafeInteger {
		return 0, false
	}
	return int64(nearest), true
}

// toTexts returns the strings of a JSON array.
func toTexts(value any) ([]string, bool) {
	values, isArray := value.([]any)
	texts := make([]string, len(values))
	for i, element := range values {
		text, isText := element.(string)
		if !isText {
			return nil, false
		}
		texts[i] = text
	}
	return texts, isArray
}
