using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Mux.Generators.CodeFixes;

/// <summary>Numbers members of messages whose number is missing, duplicate, reserved or out of range, each with the next free number.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class NumberFieldsFix : CodeFixProvider
{
    private const string Title = "Number it with the next free field number";
    private const string TitleOfAll = "Number all public members";
    private const string NothingNumbered = "MUX0028";
    private const string Reserved = "MUX0052";

    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["MUX0018", "MUX0019", "MUX0027", NothingNumbered, Reserved, "MUX0053"];

    /// <summary>
    /// Fixes a whole document at once, so that two members do not get the same number. Not more than a document: each is fixed as if the others stayed
    /// unchanged, so two parts of one class would get the same number.
    /// </summary>
    public override FixAllProvider GetFixAllProvider() => FixAllProvider.Create(
        static async (context, document, diagnostics) => await ApplyAsync(document, diagnostics, context.CancellationToken).ConfigureAwait(false),
        [FixAllScope.Document]);

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        foreach (var diagnostic in context.Diagnostics)
        {
            var fixedDocument = await ApplyAsync(context.Document, [diagnostic], context.CancellationToken).ConfigureAwait(false);
            if (fixedDocument == context.Document) continue;
            var title = diagnostic.Id == NothingNumbered ? TitleOfAll : Title;
            context.RegisterCodeFix(CodeAction.Create(title, _ => Task.FromResult(fixedDocument), Title), diagnostic);
        }
    }

    private static async Task<Document> ApplyAsync(Document document, ImmutableArray<Diagnostic> diagnostics, CancellationToken cancellationToken)
    {
        var root = await document.GetSyntaxRootAsync(cancellationToken).ConfigureAwait(false);
        var model = await document.GetSemanticModelAsync(cancellationToken).ConfigureAwait(false);
        if (root is null || model is null) return document;

        var numbering = new NumberAssignment(model, cancellationToken);
        foreach (var diagnostic in diagnostics.OrderBy(static diagnostic => diagnostic.Location.SourceSpan.Start))
        {
            var node = root.FindNode(diagnostic.Location.SourceSpan, getInnermostNodeForTie: true);
            if (diagnostic.Id == Reserved) numbering.NumberReserved(node);
            else if (diagnostic.Id != NothingNumbered) numbering.Number(node);
            else if (node.FirstAncestorOrSelf<TypeDeclarationSyntax>() is { } type) numbering.NumberAll(type);
        }

        return numbering.Changes.Count == 0 ? document : document.WithSyntaxRoot(root.ReplaceNodes(numbering.Changes.Keys, (old, _) => numbering.Changes[old]));
    }
}
