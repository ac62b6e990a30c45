using Mux.Description.Proto.Parsing.Text;
using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Options;

/// <summary>Reads values of simple types. In messages, protobuf's format for text allows more than options do.</summary>
internal static class ScalarReader
{
    /// <returns>A bool, text, bytes, double, or a long, which holds a ulong by its bits; null if the value is wrong.</returns>
    public static object? Read(FieldKind kind, ParsedValue value, bool isInMessage, out string expected)
    {
        switch (kind)
        {
            case FieldKind.Bool:
                expected = "true or false";
                return ReadBool(value, isInMessage);
            case FieldKind.String:
                expected = "a text in quotes";
                return value.Kind == ParsedValueKind.String ? StringLiterals.Decode(value.Bytes) : null;
            case FieldKind.Bytes:
                expected = "a text in quotes";
                return value.Kind == ParsedValueKind.String ? value.Bytes : null;
            case FieldKind.Float or FieldKind.Double:
                expected = "a number";
                return ReadNumber(value, isInMessage);
            case FieldKind.Int32 or FieldKind.SInt32 or FieldKind.SFixed32:
                return ReadInteger(value, 1UL << 31, int.MaxValue, out expected);
            case FieldKind.Int64 or FieldKind.SInt64 or FieldKind.SFixed64:
                return ReadInteger(value, 1UL << 63, long.MaxValue, out expected);
            case FieldKind.UInt32 or FieldKind.Fixed32:
                return ReadInteger(value, 0, uint.MaxValue, out expected);
            default:
                return ReadInteger(value, 0, ulong.MaxValue, out expected);
        }
    }

    private static object? ReadBool(ParsedValue value, bool isInMessage)
    {
        if (isInMessage && value is { Kind: ParsedValueKind.Integer, IsNegative: false, Integer: <= 1 }) return value.Integer == 1;
        if (value.Kind != ParsedValueKind.Identifier || value.IsNegative) return null;
        return value.Text switch
        {
            "true" => true,
            "false" => false,
            "True" or "t" when isInMessage => true,
            "False" or "f" when isInMessage => false,
            _ => null,
        };
    }

    private static object? ReadNumber(ParsedValue value, bool isInMessage)
    {
        if (value.Kind == ParsedValueKind.Number) return value.Number;
        if (value.Kind == ParsedValueKind.Integer) return value.IsNegative ? -(double)value.Integer : (double)value.Integer;
        if (value.Kind != ParsedValueKind.Identifier) return null;
        double sign = value.IsNegative ? -1 : 1;
        return (isInMessage ? value.Text.ToLowerInvariant() : value.Text) switch
        {
            "inf" => sign * double.PositiveInfinity,
            "nan" => double.NaN,
            "infinity" when isInMessage => sign * double.PositiveInfinity,
            _ => null,
        };
    }

    private static long? ReadInteger(ParsedValue value, ulong least, ulong greatest, out string expected)
    {
        expected = $"an integer from {(least == 0 ? string.Empty : "-")}{least} to {greatest}";
        if (value.Kind != ParsedValueKind.Integer || value.Integer > (value.IsNegative ? least : greatest)) return null;
        return unchecked(value.IsNegative ? (long)(0 - value.Integer) : (long)value.Integer);
    }
}
