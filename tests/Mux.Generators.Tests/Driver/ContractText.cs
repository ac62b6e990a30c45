using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;

namespace Mux.Generators.Tests.Driver;

/// <summary>A contract file of the project that is compiled.</summary>
internal sealed class ContractText(string path, string text) : AdditionalText
{
    public override string Path => path;

    public override SourceText GetText(CancellationToken cancellationToken = default) => SourceText.From(text);
}
