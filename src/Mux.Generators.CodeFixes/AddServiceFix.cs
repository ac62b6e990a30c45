using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Mux.Generators.Symbols;

namespace Mux.Generators.CodeFixes;

/// <summary>Makes an interface a contract, wherever in the solution it is declared.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class AddServiceFix : SingleFix
{
    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["MUX0051"];

    internal override async Task RegisterAsync(CodeFixContext context, Diagnostic diagnostic, SyntaxNode node)
    {
        var model = await context.Document.GetSemanticModelAsync(context.CancellationToken).ConfigureAwait(false);
        if (model is null || ContractAt(model, node, context.CancellationToken) is not { IsGenericType: false } contract) return;
        if (contract.DeclaringSyntaxReferences.FirstOrDefault() is not { } reference
            || context.Document.Project.Solution.GetDocument(reference.SyntaxTree) is not { } document)
        {
            return;
        }

        var compilation = await document.Project.GetCompilationAsync(context.CancellationToken).ConfigureAwait(false);
        if (compilation?.GetTypeByMetadataName(WellKnownNames.MuxService) is null) return; // a project without Mux does not know the attribute

        var title = $"Mark '{contract.Name}' with [MuxService(\"{NameOf(contract)}\")]";
        context.RegisterCodeFix(
            CodeAction.Create(title, cancellationToken => MarkAsync(document, reference, NameOf(contract), cancellationToken), title), diagnostic);
    }

    private static INamedTypeSymbol? ContractAt(SemanticModel model, SyntaxNode node, CancellationToken cancellationToken)
    {
        if (model.GetTypeInfo(node, cancellationToken).Type is INamedTypeSymbol { TypeKind: TypeKind.Interface } named) return named;
        var method = model.GetSymbolInfo(node, cancellationToken).Symbol as IMethodSymbol;
        return method?.TypeArguments.FirstOrDefault() as INamedTypeSymbol;
    }

    private static async Task<Solution> MarkAsync(Document document, SyntaxReference reference, string name, CancellationToken cancellationToken)
    {
        var root = await document.GetSyntaxRootAsync(cancellationToken).ConfigureAwait(false);
        var declaration = await reference.GetSyntaxAsync(cancellationToken).ConfigureAwait(false);
        var attribute = MemberSyntax.Attribute(WellKnownNames.MuxService, SymbolDisplay.FormatLiteral(name, quote: true));
        return document.WithSyntaxRoot(
            root!.ReplaceNode(declaration, MemberSyntax.WithAttribute((InterfaceDeclarationSyntax)declaration, attribute))).Project.Solution;
    }

    // Hr.IDirectory becomes Hr.Directory: a name that both sides can agree on and that is unlikely to clash.
    private static string NameOf(INamedTypeSymbol contract)
    {
        var name = contract.Name;
        if (name.Length > 1 && name[0] == 'I' && char.IsUpper(name[1])) name = name.Substring(1);
        var full = contract.ToFullName();
        return full.Substring(0, full.Length - contract.Name.Length) + name;
    }
}
