namespace Mux.Tests.Contracts;

/// <summary>A contract that another one inherits, with a method that runs at its caller and one that a server need not have.</summary>
[MuxService("test.Archive")]
public interface IArchive : IShelf<Question, int>
{
    ValueTask<int> Count();

    async ValueTask<bool> IsEmpty() => await Count() == 0;

    [MuxMethod]
    ValueTask<string> Describe() => new("an archive");
}
