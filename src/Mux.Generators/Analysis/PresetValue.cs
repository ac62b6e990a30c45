using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Mux.Generators.Messages.Models;

namespace Mux.Generators.Analysis;

/// <summary>A value of a member, as far as it is known at build time.</summary>
/// <param name="Kind">Kind of the member's value.</param>
/// <param name="Key">Equal for equal values; null for an unknown value.</param>
/// <param name="Text">Text for messages.</param>
/// <param name="Syntax">Its place in the source, or null.</param>
/// <param name="Expression">Expression for a [DefaultValue]; null if there can be none.</param>
internal sealed record PresetValue(ValueModel Kind, string? Key, string Text, SyntaxNode? Syntax = null, string? Expression = null)
{
    private const string NullKey = "null";

    /// <summary>Gets the value of a member that nothing has set.</summary>
    public static PresetValue Zero(ValueModel kind) => kind switch
    {
        TextModel or UriModel => new(kind, NullKey, NullKey),
        ScalarModel { Scalar: ScalarType.Boolean } => new(kind, KeyOf(false), "false"),
        ScalarModel => new(kind, KeyOf(0), "0"),
        _ => new(kind, KeyOf(0), "default"),
    };

    /// <summary>Gets the value of a constant.</summary>
    public static PresetValue Of(object? constant, ValueModel kind) => new(kind, KeyOf(constant, kind), TextOf(constant));

    /// <summary>Gets the value of an attribute's constant, which may be a string or of another type than the member.</summary>
    /// <param name="constant">Constant in the attribute.</param>
    /// <param name="kind">Kind of the member's value.</param>
    /// <param name="literal">The constant in C#, converted to the type of the member.</param>
    public static PresetValue Of(object? constant, ValueModel kind, string literal)
    {
        if (kind is not ScalarModel) return Of(constant, kind);
        return new(kind, ValueOf(SyntaxFactory.ParseExpression(literal)) is { } value ? KeyOf(value, kind) : null, TextOf(constant));
    }

    /// <summary>Gets the value of an expression.</summary>
    public static PresetValue Of(IOperation value, PresetValue omitted)
    {
        while (value is IConversionOperation conversion && !value.ConstantValue.HasValue) value = conversion.Operand;
        if (value.ConstantValue is { HasValue: true, Value: var constant })
        {
            return Of(constant, omitted.Kind) with { Syntax = value.Syntax, Expression = ExpressionOf(value, constant) };
        }

        if (omitted.Kind is UriModel && value is IObjectCreationOperation { Arguments.Length: 1 } uri
            && uri.Arguments[0].Value is { ConstantValue: { HasValue: true, Value: string address } } text)
            return Of(address, omitted.Kind) with { Syntax = text.Syntax, Expression = ExpressionOf(text, address) };
        return IsZero(value) ? Zero(omitted.Kind) with { Syntax = value.Syntax } : new(omitted.Kind, null, $"'{value.Syntax}'", value.Syntax);
    }

    // Attributes accept no decimal, for which protobuf-net reads a string, and see no local constant.
    private static string? ExpressionOf(IOperation value, object? constant) => constant switch
    {
        decimal number => $"\"{number.ToString(CultureInfo.InvariantCulture)}\"",
        _ => value.DescendantsAndSelf().Any(static part => part is ILocalReferenceOperation) ? null : value.Syntax.ToString(),
    };

    // default, new Guid(), Guid.Empty and TimeSpan.Zero are zero.
    private static bool IsZero(IOperation value) => value switch
    {
        IDefaultValueOperation => true,
        IObjectCreationOperation { Arguments.IsEmpty: true, Initializer: null, Type.IsValueType: true } => true,
        IFieldReferenceOperation { Field: { IsStatic: true, Name: "Zero" or "Empty" } field } =>
            SymbolEqualityComparer.Default.Equals(field.Type, field.ContainingType),
        _ => false,
    };

    // Value of the literal generated for a number, a bool, a char or an enum; null for constants with a name, such as NaN.
    private static object? ValueOf(ExpressionSyntax expression) => expression switch
    {
        LiteralExpressionSyntax literal => literal.Token.Value,
        CastExpressionSyntax cast => ValueOf(cast.Expression),
        CheckedExpressionSyntax isChecked => ValueOf(isChecked.Expression),
        ParenthesizedExpressionSyntax inside => ValueOf(inside.Expression),
        PrefixUnaryExpressionSyntax negative => ValueOf(negative.Operand) switch
        {
            double number => -number,
            float number => -number,
            { } number => -Convert.ToDecimal(number, CultureInfo.InvariantCulture),
            _ => null,
        },
        _ => null,
    };

    private static string? KeyOf(object? constant, ValueModel kind)
    {
        if (constant is null) return NullKey;
        if (kind is TextModel or UriModel) return "text " + constant;
        if (kind is ScalarModel { Scalar: ScalarType.Single } && constant is float or double)
        {
            return KeyOf((double)Convert.ToSingle(constant, CultureInfo.InvariantCulture));
        }

        if (constant is not string text) return KeyOf(constant);
        if (bool.TryParse(text, out bool flag)) return KeyOf(flag);
        return double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out double number) ? KeyOf(number) : null;
    }

    private static string KeyOf(object constant) => constant switch
    {
        decimal number => number.ToString("G29", CultureInfo.InvariantCulture),
        char character => KeyOf((int)character),
        float or double => KeyOf(Convert.ToDouble(constant, CultureInfo.InvariantCulture)),
        _ => Convert.ToDecimal(constant, CultureInfo.InvariantCulture).ToString("G29", CultureInfo.InvariantCulture),
    };

    // The same key for 1 and 1.0.
    private static string KeyOf(double number) =>
        Math.Abs(number) < 1e15 && number == Math.Floor(number) ? KeyOf((decimal)number) : number.ToString("R", CultureInfo.InvariantCulture);

    private static string TextOf(object? constant) => constant switch
    {
        null => NullKey,
        string text => $"\"{text}\"",
        bool flag => flag ? "true" : "false",
        IFormattable number => number.ToString(null, CultureInfo.InvariantCulture),
        _ => constant.ToString(),
    };
}
