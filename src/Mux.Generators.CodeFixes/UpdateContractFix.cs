using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;

namespace Mux.Generators.CodeFixes;

/// <summary>
/// Writes the contract files anew: records new parts, and accepts changes that others notice. Offered in the code, and in the files: a service that is gone is
/// shown there.
/// </summary>
[ExportCodeFixProvider(LanguageNames.CSharp, DocumentKinds = [nameof(TextDocumentKind.Document), nameof(TextDocumentKind.AdditionalDocument)]), Shared]
public sealed class UpdateContractFix : CodeFixProvider
{
    private const string Behind = "MUX0086";
    private const string EnumValue = "MUX0079";
    private const string Record = "Record the contracts in their files";
    private const string Accept = "Accept all changes in the contract files";

    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } =
    [
        "MUX0070", "MUX0071", "MUX0072", "MUX0073", "MUX0074", "MUX0075", "MUX0076", "MUX0077", "MUX0078", EnumValue, "MUX0080", "MUX0081", "MUX0082",
        "MUX0083", "MUX0084", "MUX0085", Behind,
    ];

    /// <summary>None: one fix writes all files.</summary>
    public override FixAllProvider? GetFixAllProvider() => null;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        var project = context.TextDocument.Project;
        if (await RecordedProject.ReadAsync(project, context.CancellationToken).ConfigureAwait(false) is not { } recorded) return;
        foreach (var diagnostic in context.Diagnostics)
        {
            bool isNew = diagnostic.Id == Behind || diagnostic is { Id: EnumValue, Severity: DiagnosticSeverity.Warning };
            if (isNew && recorded.IsBroken) continue;
            bool isAccepted = !isNew;
            var title = isAccepted ? Accept : Record;
            context.RegisterCodeFix(CodeAction.Create(title, _ => Task.FromResult(recorded.Update(isAccepted)), title), diagnostic);
        }
    }
}
