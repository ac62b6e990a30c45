using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;

namespace Mux.Generators.Models;

/// <summary>A place in a source file that keeps no syntax tree alive.</summary>
internal sealed record LocationModel(string Path, TextSpan Span, LinePositionSpan Lines)
{
    public static LocationModel? From(Location? location)
    {
        return location?.SourceTree is { } tree ? new LocationModel(tree.FilePath, location.SourceSpan, location.GetLineSpan().Span) : null;
    }

    public Location ToLocation() => Location.Create(Path, Span, Lines);
}
