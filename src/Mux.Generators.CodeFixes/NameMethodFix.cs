using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Mux.Generators.Contracts.Reading;
using Mux.Generators.Symbols;

namespace Mux.Generators.CodeFixes;

/// <summary>Gives a method a wire name that is unique in its contract.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class NameMethodFix : SingleFix
{
    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["MUX0011"];

    /// <summary>None: methods with the same name would all get the same new name.</summary>
    public override FixAllProvider? GetFixAllProvider() => null;

    internal override async Task RegisterAsync(CodeFixContext context, Diagnostic diagnostic, SyntaxNode node)
    {
        if (node.FirstAncestorOrSelf<MethodDeclarationSyntax>() is not { } declaration) return;
        var model = await context.Document.GetSemanticModelAsync(context.CancellationToken).ConfigureAwait(false);
        if (model?.GetDeclaredSymbol(declaration, context.CancellationToken) is not { } method) return;

        var name = FreeName(method);
        var literal = SymbolDisplay.FormatLiteral(name, quote: true);
        var replacement = MemberSyntax.Find(method, WellKnownNames.MuxMethod, declaration.SyntaxTree, context.CancellationToken) is { } attribute
            ? declaration.ReplaceNode(attribute, MemberSyntax.WithArgument(attribute, null, literal))
            : MemberSyntax.WithAttribute(declaration, MemberSyntax.Attribute(WellKnownNames.MuxMethod, literal));
        RegisterReplacement(context, diagnostic, $"Name it '{name}' with [MuxMethod]", declaration, replacement);
    }

    // FindByName for Find(string name), otherwise Find2.
    private static string FreeName(IMethodSymbol method)
    {
        var contract = method.ContainingType;
        var taken = new HashSet<string>(
            contract.AllInterfaces.Add(contract).SelectMany(static type => type.GetMembers()).OfType<IMethodSymbol>().Select(NameOf), StringComparer.Ordinal);
        var plain = WireName.OfMethod(method.Name);
        var argument = method.Parameters.FirstOrDefault(
            static parameter => (parameter.Type as INamedTypeSymbol)?.ToFullName() is not (WellKnownNames.CancellationToken or WellKnownNames.MuxCallOptions));
        var name = argument is null ? plain : $"{plain}By{char.ToUpperInvariant(argument.Name[0])}{argument.Name.Substring(1)}";
        for (int i = 2; taken.Contains(name) || !WireName.IsValid(name); i++) name = plain + i;
        return name;
    }

    private static string NameOf(IMethodSymbol method) =>
        method.FindAttribute(WellKnownNames.MuxMethod)?.Argument("name") as string ?? WireName.OfMethod(method.Name);
}
