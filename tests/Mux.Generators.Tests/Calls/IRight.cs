namespace Mux.Generators.Tests.Calls;

public interface IRight : IReader
{
    [MuxMethod("RightSide")]
    ValueTask<string> Side();
}
