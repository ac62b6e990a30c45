using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Mux.Generators.Analysis;
using Mux.Generators.Symbols;

namespace Mux.Generators.CodeFixes;

/// <summary>Makes the omitted value equal to the value that a reader has without it: by omitting nothing, or by omitting the preset value.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class PresetFix : SingleFix
{
    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["MUX0050"];

    internal override async Task RegisterAsync(CodeFixContext context, Diagnostic diagnostic, SyntaxNode node)
    {
        var tree = node.SyntaxTree;
        if (diagnostic.AdditionalLocations.Count == 0 || diagnostic.AdditionalLocations[0].SourceTree != tree) return;
        var root = await tree.GetRootAsync(context.CancellationToken).ConfigureAwait(false);
        var place = root.FindNode(diagnostic.AdditionalLocations[0].SourceSpan, getInnermostNodeForTie: true);
        var model = await context.Document.GetSemanticModelAsync(context.CancellationToken).ConfigureAwait(false);
        if (MemberSyntax.DeclarationAt(place) is not { } declaration || model?.GetDeclaredSymbol(place, context.CancellationToken) is not { } member) return;

        var field = MemberSyntax.Find(member, WellKnownNames.ProtoMember, tree, context.CancellationToken)
            ?? MemberSyntax.Find(member, WellKnownNames.DataMember, tree, context.CancellationToken);
        if (field is not null)
        {
            RegisterReplacement(context, diagnostic, "Write it always (IsRequired = true)", field, MemberSyntax.WithArgument(field, "IsRequired", "true"));
        }

        if (!diagnostic.Properties.TryGetValue(PresetMemberAnalyzer.PresetProperty, out var preset) || preset is null) return;
        var title = $"Leave out {preset} instead ([DefaultValue({preset})])";
        if (MemberSyntax.Find(member, WellKnownNames.DefaultValue, tree, context.CancellationToken) is { } present)
            RegisterReplacement(context, diagnostic, title, present, MemberSyntax.WithArgument(present, null, preset));
        else
            RegisterReplacement(context, diagnostic, title, declaration,
                MemberSyntax.WithAttribute(declaration, MemberSyntax.Attribute(WellKnownNames.DefaultValue, preset)));
    }
}
