using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;

namespace Mux.Generators.CodeFixes;

/// <summary>Base of fixes for one diagnostic at one place.</summary>
public abstract class SingleFix : CodeFixProvider
{
    /// <inheritdoc/>
    public override FixAllProvider? GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public sealed override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        if (await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false) is not { } root) return;
        foreach (var diagnostic in context.Diagnostics)
            await RegisterAsync(context, diagnostic, root.FindNode(diagnostic.Location.SourceSpan, getInnermostNodeForTie: true)).ConfigureAwait(false);
    }

    /// <summary>Registers the fixes of a diagnostic.</summary>
    /// <param name="context">Receives the fixes.</param>
    /// <param name="diagnostic">Diagnostic to fix.</param>
    /// <param name="node">Node at the location of the diagnostic.</param>
    internal abstract Task RegisterAsync(CodeFixContext context, Diagnostic diagnostic, SyntaxNode node);

    /// <summary>Registers the replacement of a node.</summary>
    private protected static void RegisterReplacement(CodeFixContext context, Diagnostic diagnostic, string title, SyntaxNode old, SyntaxNode replacement)
    {
        context.RegisterCodeFix(CodeAction.Create(title, Replace, title), diagnostic);

        async Task<Document> Replace(CancellationToken cancellationToken)
        {
            var root = await context.Document.GetSyntaxRootAsync(cancellationToken).ConfigureAwait(false);
            return context.Document.WithSyntaxRoot(root!.ReplaceNode(old, replacement));
        }
    }
}
