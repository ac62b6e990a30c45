using System.Globalization;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Mux.Generators.Messages.Models;

namespace Mux.Generators.Describing;

/// <summary>Converts the value that a member omits to the default of a field.</summary>
internal static class DefaultText
{
    /// <summary>Gets the default of a field; null for zero, and for values that protobuf has no default for.</summary>
    public static string? Of(MemberModel member)
    {
        if (member.Default is not { } literal || member.IsRepeated || literal is "0" or "false" or "'\\0'" or "default") return null;
        var text = member.Value switch
        {
            ScalarModel { Enum.Name.IsImported: true } => null, // C# does not have the names of its values
            ScalarModel { Enum: { } known } => int.TryParse(Read(literal), NumberStyles.Integer, CultureInfo.InvariantCulture, out int number) && number != 0
                ? EnumDescriber.NameOf(known, number) : null,
            ScalarModel or TextModel or UriModel => Read(literal),
            _ => null,
        };
        return text is "" or "0" or "-0" or "false" ? null : text;
    }

    private static string? Read(string literal) => Read(SyntaxFactory.ParseExpression(literal));

    private static string? Read(ExpressionSyntax expression) => expression switch
    {
        ParenthesizedExpressionSyntax inner => Read(inner.Expression),
        CastExpressionSyntax cast => Read(cast.Expression),
        CheckedExpressionSyntax inner => Read(inner.Expression),
        PrefixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.UnaryMinusExpression } minus => "-" + Read(minus.Operand),
        MemberAccessExpressionSyntax { Name.Identifier.ValueText: var name } => name switch
        {
            "NaN" => "nan",
            "PositiveInfinity" => "inf",
            "NegativeInfinity" => "-inf",
            _ => null,
        },
        LiteralExpressionSyntax literal => literal.Token.Value switch
        {
            bool flag => flag ? "true" : "false",
            char c => ((int)c).ToString(CultureInfo.InvariantCulture),
            IFormattable number => number.ToString(null, CultureInfo.InvariantCulture),
            var text => text as string,
        },
        _ => null,
    };
}
