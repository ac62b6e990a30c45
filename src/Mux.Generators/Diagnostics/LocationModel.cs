using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;

namespace Mux.Generators.Diagnostics;

/// <summary>A location in a source file that keeps no syntax tree alive.</summary>
internal sealed record LocationModel(string Path, TextSpan Span, LinePositionSpan Lines)
{
    public static LocationModel? From(Location? location)
    {
        return location?.SourceTree is { } tree ? new LocationModel(tree.FilePath, location.SourceSpan, location.GetLineSpan().Span) : null;
    }

    /// <summary>Gets the location in the file's tree, which editors need for fixes and pragmas.</summary>
    public Location ToLocation(Compilation compilation)
    {
        var tree = compilation.SyntaxTrees.FirstOrDefault(tree => tree.FilePath == Path && Span.End <= tree.Length);
        return tree is null ? Location.Create(Path, Span, Lines) : Location.Create(tree, Span);
    }
}
