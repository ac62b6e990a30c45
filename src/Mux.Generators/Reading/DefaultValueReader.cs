using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Mux.Generators.Models;

namespace Mux.Generators.Reading;

/// <summary>Turns [DefaultValue] into a C# literal of the member's type, converting as protobuf-net does.</summary>
internal static class DefaultValueReader
{
    /// <summary>Reads the value that is left out.</summary>
    /// <param name="attribute">A [DefaultValue].</param>
    /// <param name="value">What the member holds.</param>
    /// <param name="literal">Null if the attribute says null, which turns off the omission of zero.</param>
    /// <returns>False if the value does not fit the type.</returns>
    public static bool TryRead(AttributeData attribute, ValueModel value, out string? literal)
    {
        literal = null;
        if (ConstantOf(attribute, value) is not { } constant) return false;
        if (constant.Kind == TypedConstantKind.Array) return false;
        if (constant.IsNull) return true;
        literal = value switch
        {
            TextModel => constant.Value is string text ? SymbolDisplay.FormatLiteral(text, quote: true) : null,
            ScalarModel { EnumUnderlying: not null } scalar => ToEnum(constant, scalar),
            ScalarModel scalar => ToScalar(constant.Value!, scalar),
            FrameworkModel framework => FrameworkDefault.ToCode(constant.Value!, framework),
            UriModel => constant.Value is string text ? SymbolDisplay.FormatLiteral(text, quote: true) : null,
            _ => null,
        };
        return literal is not null;
    }

    // A constant, or for types that have none the type and a text.
    private static TypedConstant? ConstantOf(AttributeData attribute, ValueModel value)
    {
        var arguments = attribute.ConstructorArguments;
        bool isTyped = arguments.Length == 2 && value is FrameworkModel && (arguments[0].Value as ITypeSymbol)?.ToBareCode() == value.TypeName;
        return isTyped ? arguments[1] : arguments.Length == 1 ? arguments[0] : null;
    }

    private static string? ToEnum(TypedConstant constant, ScalarModel scalar)
    {
        if (constant.Value is string) return null;
        return ToScalar(constant.Value!, scalar) is { } number ? $"({scalar.TypeName})({number})" : null;
    }

    private static string? ToScalar(object constant, ScalarModel scalar)
    {
        try
        {
            return scalar.Scalar switch
            {
                ScalarType.Boolean => To<bool>(constant) ? "true" : "false",
                ScalarType.Char => SymbolDisplay.FormatLiteral(To<char>(constant), quote: true),
                ScalarType.SByte => Plain(To<sbyte>(constant)),
                ScalarType.Byte => Plain(To<byte>(constant)),
                ScalarType.Int16 => Plain(To<short>(constant)),
                ScalarType.UInt16 => Plain(To<ushort>(constant)),
                ScalarType.Int32 => Plain(To<int>(constant)),
                ScalarType.UInt32 => Plain(To<uint>(constant)) + "U",
                ScalarType.Int64 => Plain(To<long>(constant)) + "L",
                ScalarType.UInt64 => Plain(To<ulong>(constant)) + "UL",
                ScalarType.IntPtr => $"unchecked((nint)({Plain(To<long>(constant))}L))",
                ScalarType.UIntPtr => $"unchecked((nuint)({Plain(To<ulong>(constant))}UL))",
                ScalarType.Single => ToSingle(To<float>(constant)),
                _ => ToDouble(To<double>(constant)),
            };
        }
        catch (Exception exception) when (exception is InvalidCastException or FormatException or OverflowException)
        {
            return null;
        }
    }

    private static T To<T>(object constant) => (T)Convert.ChangeType(constant, typeof(T), CultureInfo.InvariantCulture);

    private static string Plain(IFormattable value) => value.ToString(null, CultureInfo.InvariantCulture);

    private static string ToSingle(float value)
    {
        if (float.IsNaN(value)) return "float.NaN";
        if (float.IsInfinity(value)) return value > 0 ? "float.PositiveInfinity" : "float.NegativeInfinity";
        return value.ToString("R", CultureInfo.InvariantCulture) + "F";
    }

    private static string ToDouble(double value)
    {
        if (double.IsNaN(value)) return "double.NaN";
        if (double.IsInfinity(value)) return value > 0 ? "double.PositiveInfinity" : "double.NegativeInfinity";
        return value.ToString("R", CultureInfo.InvariantCulture) + "D";
    }
}
