using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Mux.Generators.Messages.Models;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>Converts [DefaultValue] to a C# literal of the member's type, as protobuf-net does: strings are parsed, other constants are converted.</summary>
internal static class DefaultValueReader
{
    /// <summary>Reads the value that is omitted.</summary>
    /// <param name="attribute">A [DefaultValue].</param>
    /// <param name="type">The type of the member.</param>
    /// <param name="value">Value of the member; null for types without a default, such as collections.</param>
    /// <param name="literal">Null if the attribute is null, which turns off the omission of zero.</param>
    /// <returns>False if the value does not fit the type.</returns>
    public static bool TryRead(AttributeData attribute, ITypeSymbol type, ValueModel? value, out string? literal)
    {
        literal = null;
        if (ConstantOf(attribute, type.WithoutNullable(), value) is not { } constant) return false;
        if (constant.Kind is TypedConstantKind.Array or TypedConstantKind.Type) return false;
        if (constant.IsNull) return true;
        literal = value switch
        {
            TextModel => ToText(constant),
            ScalarModel { EnumUnderlying: not null } scalar => ToEnum(constant, (INamedTypeSymbol)type.WithoutNullable(), scalar),
            ScalarModel scalar => ToScalar(constant.Value!, scalar.Scalar),
            FrameworkModel framework => FrameworkDefault.ToCode(constant.Value!, framework),
            UriModel => constant.Value is string text ? Quote(text) : null,
            _ => null,
        };
        return literal is not null;
    }

    // The attribute has a constant, or a type and a string, which its constructor would convert to that type.
    private static TypedConstant? ConstantOf(AttributeData attribute, ITypeSymbol type, ValueModel? value)
    {
        var arguments = attribute.ConstructorArguments;
        if (arguments.Length != 2) return arguments.Length == 1 ? arguments[0] : null;
        bool isSame = value is ScalarModel or FrameworkModel or TextModel && arguments[0].Value is ITypeSymbol named && named.ToBareCode() == type.ToBareCode();
        return isSame ? arguments[1] : null;
    }

    private static string Quote(string text) => SymbolDisplay.FormatLiteral(text, quote: true);

    private static string? ToText(TypedConstant constant) => constant switch
    {
        { Kind: TypedConstantKind.Enum } => null,
        { Value: string text } => Quote(text),
        { Value: float or double } => null, // its digits depend on the runtime
        { Value: IConvertible value } => Quote(value.ToString(CultureInfo.InvariantCulture)),
        _ => null,
    };

    private static string? ToEnum(TypedConstant constant, INamedTypeSymbol type, ScalarModel scalar)
    {
        var number = constant.Value switch
        {
            string text => ParseEnum(text, type, scalar.Scalar),
            float or double or decimal => null,
            { } other => ToScalar(other, scalar.Scalar),
            _ => null,
        };
        return number is null ? null : $"({scalar.TypeName})({number})";
    }

    // As Enum.Parse without regard to case: names of constants or a number; several names are separated by commas.
    private static string? ParseEnum(string text, INamedTypeSymbol type, ScalarType underlying)
    {
        var trimmed = text.Trim();
        if (trimmed.Length > 0 && (char.IsDigit(trimmed[0]) || trimmed[0] is '-' or '+')) return ToScalar(trimmed, underlying, NumberStyles.AllowLeadingSign);

        ulong bits = 0;
        foreach (var name in text.Split(','))
        {
            var constants = type.GetMembers().OfType<IFieldSymbol>().Where(static field => field.HasConstantValue).ToList();
            var found = constants.Find(field => field.Name == name.Trim())
                ?? constants.Find(field => string.Equals(field.Name, name.Trim(), StringComparison.OrdinalIgnoreCase));
            if (found is null) return null;
            bits |= found.ConstantValue is ulong unsigned ? unsigned : unchecked((ulong)Convert.ToInt64(found.ConstantValue, CultureInfo.InvariantCulture));
        }

        bool isSigned = underlying is ScalarType.SByte or ScalarType.Int16 or ScalarType.Int32 or ScalarType.Int64;
        return isSigned ? ToScalar(unchecked((long)bits), underlying) : ToScalar(bits, underlying);
    }

    private static string? ToScalar(object constant, ScalarType scalar, NumberStyles styles = NumberStyles.Any)
    {
        try
        {
            return scalar switch
            {
                ScalarType.Boolean => To<bool>(constant) ? "true" : "false",
                ScalarType.Char => SymbolDisplay.FormatLiteral(To<char>(constant), quote: true),
                ScalarType.SByte => Plain(Parse<sbyte>(constant, styles & NumberStyles.Integer)),
                ScalarType.Byte => Plain(Parse<byte>(constant, styles & NumberStyles.Integer)),
                ScalarType.Int16 => Plain(Parse<short>(constant, styles)),
                ScalarType.UInt16 => Plain(Parse<ushort>(constant, styles)),
                ScalarType.Int32 => Plain(Parse<int>(constant, styles)),
                ScalarType.UInt32 => Plain(Parse<uint>(constant, styles)) + "U",
                ScalarType.Int64 => Plain(Parse<long>(constant, styles)) + "L",
                ScalarType.UInt64 => Plain(Parse<ulong>(constant, styles)) + "UL",
                ScalarType.IntPtr => $"unchecked((nint)({Plain(Parse<long>(constant, styles))}L))",
                ScalarType.UIntPtr => $"unchecked((nuint)({Plain(Parse<ulong>(constant, styles))}UL))",
                ScalarType.Single => ToSingle(constant is string text ? float.Parse(text, styles, CultureInfo.InvariantCulture) : To<float>(constant)),
                _ => ToDouble(constant is string text ? double.Parse(text, styles, CultureInfo.InvariantCulture) : To<double>(constant)),
            };
        }
        catch (Exception exception) when (exception is InvalidCastException or FormatException or OverflowException)
        {
            return null;
        }
    }

    // A decimal holds the digits of every integer, so one way of parsing is enough.
    private static T Parse<T>(object constant, NumberStyles styles)
    {
        if (constant is not string text) return To<T>(constant);
        decimal number = decimal.Parse(text, styles, CultureInfo.InvariantCulture);
        if (decimal.Truncate(number) != number) throw new OverflowException();
        return To<T>(number);
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
