using Mux.Proto.Tests.Imported.Common;

namespace Mux.Proto.Tests.Contracts;

/// <summary>A contract in C#, whose messages are of a .proto file.</summary>
[MuxService("paints")]
public interface IPaints
{
    /// <summary>Finds the place of a colour.</summary>
    ValueTask<Point> FindAsync(Color color, Point near);
}
