using System.Globalization;
using System.Text;

namespace Mux.Serialization.Oracles.Trees;

/// <summary>Writes trees as text.</summary>
internal static class FieldText
{
    public static string Of(object value)
    {
        var text = new StringBuilder();
        Write(text, value);
        return text.ToString();
    }

    public static void Write(StringBuilder text, object value)
    {
        switch (value)
        {
            case FieldTree tree:
                WriteJoined(text, '{', tree.Fields, '}', static (text, field) => Write(text.Append(CultureInfo.InvariantCulture, $"{field.Key}: "), field.Value));
                break;
            case MapEntries map:
                WriteMap(text, map);
                break;
            case List<object> list:
                WriteJoined(text, '[', list, ']', Write);
                break;
            case string characters:
                WriteString(text, characters);
                break;
            case Blob blob:
                text.Append("0x").Append(blob.Hex);
                break;
            case float number:
                text.Append(CultureInfo.InvariantCulture, $"{number:R} ({BitConverter.SingleToInt32Bits(number):x8})");
                break;
            case double number:
                text.Append(CultureInfo.InvariantCulture, $"{number:R} ({BitConverter.DoubleToInt64Bits(number):x16})");
                break;
            case Int128 number:
                text.Append(CultureInfo.InvariantCulture, $"{number}");
                break;
            default:
                throw new ArgumentException($"{value.GetType()} is no value of a tree.", nameof(value));
        }
    }

    private static void WriteMap(StringBuilder text, MapEntries map)
    {
        var entries = map.Items.Select(static entry =>
        {
            var line = new StringBuilder();
            Write(line, entry.Key);
            Write(line.Append(": "), entry.Value);
            return line.ToString();
        });
        WriteJoined(text, '<', entries.Order(StringComparer.Ordinal), '>', static (text, entry) => text.Append(entry));
    }

    private static void WriteJoined<T>(StringBuilder text, char open, IEnumerable<T> items, char close, Action<StringBuilder, T> write)
    {
        text.Append(open);
        bool isFirst = true;
        foreach (var item in items)
        {
            if (!isFirst) text.Append(", ");
            isFirst = false;
            write(text, item);
        }

        text.Append(close);
    }

    private static void WriteString(StringBuilder text, string characters)
    {
        text.Append('"');
        foreach (char character in characters)
        {
            if (character is >= ' ' and <= '~' and not '"' and not '\\') text.Append(character);
            else text.Append(CultureInfo.InvariantCulture, $"\\u{(int)character:x4}");
        }

        text.Append('"');
    }
}
