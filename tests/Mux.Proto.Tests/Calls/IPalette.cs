using Mux.Proto.Tests.Imported.Common;
using Mux.Proto.Tests.Imported.Scalars;
using Tests.Services;

namespace Mux.Proto.Tests.Calls;

/// <summary>A contract in C#, whose messages are imported by this project and by another.</summary>
[MuxService("palette")]
public interface IPalette
{
    ValueTask<Swatch> MixAsync(Tree tree, Color color, Point point, CancellationToken cancellationToken = default);

    IAsyncEnumerable<Answer> NameAsync(Singular all, CancellationToken cancellationToken = default);
}
