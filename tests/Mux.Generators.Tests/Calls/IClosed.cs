namespace Mux.Generators.Tests.Calls;

/// <summary>What its methods ask of their callers is added to what the contract does.</summary>
[MuxAuthorize("inside \"the\" house")]
public interface IClosed
{
    ValueTask<int> Inherited();
}
