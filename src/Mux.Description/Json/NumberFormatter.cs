using System.Buffers.Text;
using System.Text.Json;

namespace Mux.Description.Json;

/// <summary>Writes numbers, flags and enums as JSON has them: integers of 64 bits and values that are no number as text.</summary>
internal static class NumberFormatter
{
    private const int MaxLength = 24;

    /// <param name="json">Where to write.</param>
    /// <param name="field">Field of the number.</param>
    /// <param name="value">The number, or the bits of a floating-point one.</param>
    public static void Write(Utf8JsonWriter json, JsonField field, long value)
    {
        switch (field.Kind)
        {
            case FieldKind.Double:
                Write(json, BitConverter.Int64BitsToDouble(value));
                break;
            case FieldKind.Float:
                float single = BitConverter.Int32BitsToSingle((int)value);
                if (float.IsFinite(single)) json.WriteNumberValue(single);
                else Write(json, single);
                break;
            case FieldKind.Bool:
                json.WriteBooleanValue(value != 0);
                break;
            case FieldKind.Enum:
                if (field.Enum.IsNull) json.WriteNullValue();
                else if (field.Enum.TryGetName((int)value, out var name)) json.WriteStringValue(name);
                else json.WriteNumberValue((int)value);
                break;
            case FieldKind.Int64 or FieldKind.SInt64 or FieldKind.SFixed64 or FieldKind.UInt64 or FieldKind.Fixed64:
                Span<byte> text = stackalloc byte[MaxLength];
                int length = Format(field.Kind, value, text[1..]);
                text[0] = text[length + 1] = (byte)'"';
                json.WriteRawValue(text[..(length + 2)], skipInputValidation: true);
                break;
            default:
                json.WriteNumberValue(value);
                break;
        }
    }

    public static void Write(Utf8JsonWriter json, double value)
    {
        if (double.IsFinite(value)) json.WriteNumberValue(value);
        else json.WriteStringValue(double.IsNaN(value) ? "NaN"u8 : value > 0 ? "Infinity"u8 : "-Infinity"u8);
    }

    public static void WriteName(Utf8JsonWriter json, FieldKind kind, long value)
    {
        Span<byte> text = stackalloc byte[MaxLength];
        json.WritePropertyName(text[..Format(kind, value, text)]);
    }

    private static int Format(FieldKind kind, long value, Span<byte> text)
    {
        int length;
        if (kind is FieldKind.UInt64 or FieldKind.Fixed64) Utf8Formatter.TryFormat((ulong)value, text, out length);
        else Utf8Formatter.TryFormat(value, text, out length);
        return length;
    }
}
