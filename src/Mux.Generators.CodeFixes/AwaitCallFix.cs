using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Formatting;
using Microsoft.CodeAnalysis.Simplification;

namespace Mux.Generators.CodeFixes;

/// <summary>Awaits a call instead of blocking on it, where that is possible.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class AwaitCallFix : SingleFix
{
    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["MUX0049"];

    internal override Task RegisterAsync(CodeFixContext context, Diagnostic diagnostic, SyntaxNode node)
    {
        if (node is not ExpressionSyntax blocking || CallIn(blocking) is not { } call || !IsAsync(blocking)) return Task.CompletedTask;
        var awaited = SyntaxFactory.AwaitExpression(call.WithoutTrivia());
        ExpressionSyntax replacement = blocking.Parent is ExpressionStatementSyntax or EqualsValueClauseSyntax or ArgumentSyntax or ReturnStatementSyntax
            ? awaited
            : SyntaxFactory.ParenthesizedExpression(awaited).WithAdditionalAnnotations(Simplifier.Annotation);
        RegisterReplacement(context, diagnostic, "Await the call", blocking,
            replacement.WithTriviaFrom(blocking).WithAdditionalAnnotations(Formatter.Annotation));
        return Task.CompletedTask;
    }

    // Finds the awaitable in x.Result, x.Wait() and x.GetAwaiter().GetResult(). Waiting for several calls, or with a timeout, is more than an await.
    private static ExpressionSyntax? CallIn(ExpressionSyntax blocking) => blocking switch
    {
        MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Result" } result => result.Expression,
        InvocationExpressionSyntax { ArgumentList.Arguments.Count: 0, Expression: MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Wait" } wait } =>
            wait.Expression,
        InvocationExpressionSyntax
        {
            Expression: MemberAccessExpressionSyntax
            {
                Name.Identifier.ValueText: "GetResult",
                Expression: InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax getAwaiter }
            }
        } => getAwaiter.Expression,
        _ => null,
    };

    private static bool IsAsync(SyntaxNode node)
    {
        foreach (var ancestor in node.Ancestors())
        {
            switch (ancestor)
            {
                // x?.Call().Wait() begins in the middle.
                case ConditionalAccessExpressionSyntax conditional when conditional.WhenNotNull.Span.Contains(node.Span): return false;
                case AnonymousFunctionExpressionSyntax function: return function.Modifiers.Any(SyntaxKind.AsyncKeyword);
                case LocalFunctionStatementSyntax function: return function.Modifiers.Any(SyntaxKind.AsyncKeyword);
                case MethodDeclarationSyntax method: return method.Modifiers.Any(SyntaxKind.AsyncKeyword);
                case GlobalStatementSyntax: return true;
                case MemberDeclarationSyntax or LockStatementSyntax or QueryExpressionSyntax or CatchFilterClauseSyntax or UnsafeStatementSyntax: return false;
            }
        }

        return false;
    }
}
