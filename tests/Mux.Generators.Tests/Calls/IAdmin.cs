using Mux.Generators.Tests.Messages;

namespace Mux.Generators.Tests.Calls;

/// <summary>Inherits a contract two ways, and an interface that is closed here.</summary>
[MuxService("test.Admin")]
[MuxError<Leaf>(1)]
[MuxError<Link>(2)]
public interface IAdmin : ILeft, IRight, IStore<Leaf, string>
{
    ValueTask<int> Clear(int from);
}
