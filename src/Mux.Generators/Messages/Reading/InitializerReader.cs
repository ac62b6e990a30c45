using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Mux.Generators.Messages.Models;

namespace Mux.Generators.Messages.Reading;

/// <summary>
/// Reads the constants of initializers: what a member is where a message lacks it, if zero is not omitted. The code of other projects is not seen.
/// </summary>
internal sealed class InitializerReader(Compilation compilation)
{
    /// <summary>Gets the constant as text; null if there is none, or if nothing runs the initializer.</summary>
    public string? Read(ISymbol symbol, INamedTypeSymbol type, MemberValue value)
    {
        if (value.IsRepeated || type.IsValueType || value.Value is not (ScalarModel or FrameworkModel or TextModel)) return null;
        if (InitializerOf(symbol) is not { } initializer || ConstantOf(initializer) is not { } constant) return null;
        return MessageContract.Of(type) is { SkipConstructor: true } ? null : TextOf(constant, value.Value);
    }

    private static ExpressionSyntax? InitializerOf(ISymbol symbol) =>
        ((symbol as IFieldSymbol)?.AssociatedSymbol ?? symbol).DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax() switch
        {
            PropertyDeclarationSyntax property => property.Initializer?.Value,
            VariableDeclaratorSyntax field => field.Initializer?.Value,
            _ => null,
        };

    // Nearly all initializers are literals and new objects. To bind the others takes much longer.
    private object? ConstantOf(ExpressionSyntax expression)
    {
        switch (expression)
        {
            case LiteralExpressionSyntax literal:
                return literal.IsKind(SyntaxKind.DefaultLiteralExpression) ? null : literal.Token.Value;
            case PostfixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.SuppressNullableWarningExpression } certain:
                return ConstantOf(certain.Operand);
            case BaseObjectCreationExpressionSyntax or ArrayCreationExpressionSyntax or ImplicitArrayCreationExpressionSyntax or CollectionExpressionSyntax
                or InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax }
                or MemberAccessExpressionSyntax { Expression: PredefinedTypeSyntax, Name.Identifier.ValueText: "Empty" }:
                return null;
        }

        if (!compilation.ContainsSyntaxTree(expression.SyntaxTree)) return null;
        var constant = compilation.GetSemanticModel(expression.SyntaxTree).GetConstantValue(expression);
        return constant.HasValue ? constant.Value : null;
    }

    private static string? TextOf(object constant, ValueModel kind)
    {
        // 1 may be the constant of a double or a float.
        if (kind is ScalarModel { Scalar: ScalarType.Single })
            return Convert.ToSingle(constant, CultureInfo.InvariantCulture).ToString("R", CultureInfo.InvariantCulture);
        if (kind is ScalarModel { Scalar: ScalarType.Double })
            return Convert.ToDouble(constant, CultureInfo.InvariantCulture).ToString("R", CultureInfo.InvariantCulture);
        return constant switch
        {
            bool flag => flag ? "true" : "false",
            char character => ((int)character).ToString(CultureInfo.InvariantCulture),
            IFormattable number => number.ToString(null, CultureInfo.InvariantCulture),
            _ => constant as string,
        };
    }
}
