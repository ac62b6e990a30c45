using System.Buffers.Text;
using System.Globalization;

namespace Mux.Description.Json;

/// <summary>Reads numbers from their text in JSON, which may be quoted.</summary>
internal static class NumberParser
{
    /// <summary>Gets the range of a type, for errors.</summary>
    public static string RangeOf(FieldKind kind) => kind switch
    {
        FieldKind.Double => $"numbers of 64 bits from {double.MinValue:R} to {double.MaxValue:R}, 'NaN', 'Infinity' and '-Infinity'",
        FieldKind.Float => $"numbers of 32 bits from {float.MinValue:R} to {float.MaxValue:R}, 'NaN', 'Infinity' and '-Infinity'",
        FieldKind.UInt32 or FieldKind.Fixed32 => "whole numbers from 0 to 4294967295",
        FieldKind.UInt64 or FieldKind.Fixed64 => "whole numbers from 0 to 18446744073709551615",
        FieldKind.Int64 or FieldKind.SInt64 or FieldKind.SFixed64 => "whole numbers from -9223372036854775808 to 9223372036854775807",
        _ => "whole numbers from -2147483648 to 2147483647",
    };

    /// <summary>Reads a number of the type.</summary>
    /// <param name="kind">The type.</param>
    /// <param name="text">The text.</param>
    /// <param name="value">The number, or the bits of a floating-point one.</param>
    public static bool TryParse(FieldKind kind, ReadOnlySpan<byte> text, out long value)
    {
        value = 0;
        if (kind is FieldKind.Double or FieldKind.Float) return TryParseFloating(kind, text, out value);
        if (!IsNumber(text)) return false;
        bool isUnsigned = kind is FieldKind.UInt64 or FieldKind.Fixed64;
        if (isUnsigned && Utf8Parser.TryParse(text, out ulong number, out int consumed) && consumed == text.Length)
        {
            value = (long)number;
            return true;
        }

        if (!isUnsigned && Utf8Parser.TryParse(text, out value, out consumed) && consumed == text.Length) return IsInRange(kind, value);
        return TryParseFraction(kind, text, out value);
    }

    // A whole number may be written as 1.0 or 1e3.
    private static bool TryParseFraction(FieldKind kind, ReadOnlySpan<byte> text, out long value)
    {
        value = 0;
        if (!decimal.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out decimal number) || decimal.Truncate(number) != number) return false;
        if (number == 0 && (!double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out double exact) || exact != 0)) return false;
        if (kind is FieldKind.UInt64 or FieldKind.Fixed64)
        {
            if (number is < 0 or > ulong.MaxValue) return false;
            value = (long)(ulong)number;
            return true;
        }

        if (number is < long.MinValue or > long.MaxValue) return false;
        value = (long)number;
        return IsInRange(kind, value);
    }

    private static bool TryParseFloating(FieldKind kind, ReadOnlySpan<byte> text, out long value)
    {
        double number;
        if (text.SequenceEqual("NaN"u8)) number = double.NaN;
        else if (text.SequenceEqual("Infinity"u8)) number = double.PositiveInfinity;
        else if (text.SequenceEqual("-Infinity"u8)) number = double.NegativeInfinity;
        else if (IsNumber(text)) return TryParseFinite(kind, text, out value);
        else
        {
            value = 0;
            return false;
        }

        value = kind == FieldKind.Float ? BitConverter.SingleToInt32Bits((float)number) : BitConverter.DoubleToInt64Bits(number);
        return true;
    }

    private static bool TryParseFinite(FieldKind kind, ReadOnlySpan<byte> text, out long value)
    {
        if (kind == FieldKind.Float)
        {
            bool isSingle = float.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out float single) && float.IsFinite(single);
            value = BitConverter.SingleToInt32Bits(single);
            return isSingle;
        }

        bool isDouble = double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out double number) && double.IsFinite(number);
        value = BitConverter.DoubleToInt64Bits(number);
        return isDouble;
    }

    private static bool IsInRange(FieldKind kind, long value) => kind switch
    {
        FieldKind.UInt32 or FieldKind.Fixed32 => value is >= 0 and <= uint.MaxValue,
        FieldKind.Int32 or FieldKind.SInt32 or FieldKind.SFixed32 or FieldKind.Enum => value is >= int.MinValue and <= int.MaxValue,
        _ => true,
    };

    // As JSON has them, also in a text: no '+', no zeros or spaces in front.
    private static bool IsNumber(ReadOnlySpan<byte> text)
    {
        if (text.StartsWith("-"u8)) text = text[1..];
        int digits = Digits(text);
        if (digits == 0 || (digits > 1 && text[0] == '0')) return false;
        text = text[digits..];
        if (text.StartsWith("."u8))
        {
            digits = Digits(text[1..]);
            if (digits == 0) return false;
            text = text[(digits + 1)..];
        }

        if (text.IsEmpty) return true;
        if (text[0] is not ((byte)'e' or (byte)'E')) return false;
        text = text[1..];
        if (!text.IsEmpty && text[0] is (byte)'+' or (byte)'-') text = text[1..];
        return !text.IsEmpty && Digits(text) == text.Length;
    }

    private static int Digits(ReadOnlySpan<byte> text)
    {
        int count = text.IndexOfAnyExceptInRange((byte)'0', (byte)'9');
        return count < 0 ? text.Length : count;
    }
}
