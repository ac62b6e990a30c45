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

    // An editor has the code of referenced projects, and a build has not: both see the same.
    private ExpressionSyntax? InitializerOf(ISymbol symbol)
    {
        var reference = ((symbol as IFieldSymbol)?.AssociatedSymbol ?? symbol).DeclaringSyntaxReferences.FirstOrDefault();
        return reference is null || !compilation.ContainsSyntaxTree(reference.SyntaxTree) ? null : reference.GetSyntax() switch
        {
            PropertyDeclarationSyntax property => property.Initializer?.Value,
            VariableDeclaratorSyntax field => field.Initializer?.Value,
            _ => null,
        };
    }

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

        var constant = compilation.GetSemanticModel(expression.SyntaxTree).GetConstantValue(expression);
        return constant.HasValue ? constant.Value : null;
    }

    // 1 and 'a' may be constants of a double or a decimal. Code that is being typed has constants of any type.
    private static string? TextOf(object constant, ValueModel kind)
    {
        if (kind is TextModel) return constant as string;
        if (constant is bool flag) return kind is ScalarModel { Scalar: ScalarType.Boolean } ? flag ? "true" : "false" : null;
        if (constant is char character) constant = (int)character;
        if (constant is not IFormattable number) return null;
        bool isInteger = constant is sbyte or byte or short or ushort or int or uint or long or ulong;
        return kind switch
        {
            ScalarModel { Scalar: ScalarType.Boolean } => null,
            ScalarModel { Scalar: ScalarType.Single } when isInteger || constant is float or double =>
                Convert.ToSingle(constant, CultureInfo.InvariantCulture).ToString("R", CultureInfo.InvariantCulture),
            ScalarModel { Scalar: ScalarType.Double } when isInteger || constant is float or double =>
                Convert.ToDouble(constant, CultureInfo.InvariantCulture).ToString("R", CultureInfo.InvariantCulture),
            ScalarModel { Scalar: not (ScalarType.Single or ScalarType.Double) } when isInteger => number.ToString(null, CultureInfo.InvariantCulture),
            FrameworkModel { Form: FrameworkForm.BclDecimal or FrameworkForm.DecimalText } when isInteger || constant is decimal =>
                TextOf(Convert.ToDecimal(constant, CultureInfo.InvariantCulture)),
            _ => null,
        };
    }

    // Decimals are texts in files, where 1.0 and 1.00 would be two values.
    private static string TextOf(decimal value)
    {
        var text = value.ToString(CultureInfo.InvariantCulture);
        return text.IndexOf('.') < 0 ? text : text.TrimEnd('0').TrimEnd('.');
    }
}
