using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Formatting;
using Microsoft.CodeAnalysis.Simplification;

namespace Mux.Generators.CodeFixes;

/// <summary>Adds a cancellation token to a contract method.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class AddTokenFix : SingleFix
{
    private const string Name = "cancellationToken";

    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["MUX0048"];

    internal override Task RegisterAsync(CodeFixContext context, Diagnostic diagnostic, SyntaxNode node)
    {
        if (node.FirstAncestorOrSelf<MethodDeclarationSyntax>() is not { } method) return Task.CompletedTask;

        // No parameter may follow a params parameter, and a clash of names must be resolved first.
        if (method.ParameterList.Parameters.Any(
            static parameter => parameter.Modifiers.Any(SyntaxKind.ParamsKeyword) || parameter.Identifier.ValueText == Name))
        {
            return Task.CompletedTask;
        }

        var type = SyntaxFactory.ParseTypeName("global::System.Threading.CancellationToken").WithAdditionalAnnotations(Simplifier.Annotation);
        var parameter = SyntaxFactory.Parameter(SyntaxFactory.Identifier(Name)).WithType(type)
            .WithDefault(SyntaxFactory.EqualsValueClause(SyntaxFactory.LiteralExpression(SyntaxKind.DefaultLiteralExpression)))
            .WithAdditionalAnnotations(Formatter.Annotation);
        RegisterReplacement(context, diagnostic, $"Add 'CancellationToken {Name} = default'", method.ParameterList,
            method.ParameterList.AddParameters(parameter));
        return Task.CompletedTask;
    }
}
